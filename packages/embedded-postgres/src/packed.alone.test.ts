import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('packs only the build output, package.json, the README and the license', async () => {
  const cwd = join(import.meta.dirname, '..')
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd })
  const [{ files }] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  assert.ok(paths.includes('dist/start.js') && paths.includes('dist/start.d.ts'))
  const others = paths.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path))
  assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json'])
})
