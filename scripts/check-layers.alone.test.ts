import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

function runCheck(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts/check-layers.ts'), ...args], (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        output: stdout + stderr,
      })
    })
  })
}

test('finds no violations in the repository', async () => {
  const { code, output } = await runCheck(root)
  assert.equal(code, 0, output)
  const [, count = '0'] = /^(\d+) files, .*: 0$/m.exec(output) ?? []
  assert.ok(Number(count) > 50, output)
})

test('prints the violations in a repository and exits with code 1', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'quayside-layers-'))
  t.after(() => rm(copy, { recursive: true, force: true }))
  await cp(join(root, 'packages'), join(copy, 'packages'), {
    recursive: true,
    // Tests that run at the same time build `dist` and `bundle` anew.
    filter: (path) => !/[/\\](?:node_modules|fixtures|dist|bundle)$/.test(path),
  })
  await writeFile(
    join(copy, 'packages/server/src/lib/planted.ts'),
    `\nimport { endpoint } from '../http/endpoint.ts'\nexport const planted = endpoint\n`,
  )
  await writeFile(
    join(copy, 'packages/server/src/features/streams/planted.ts'),
    `import type { Build } from '../builds/build.ts'\nexport type Planted = Build\n`,
  )
  const { code, output } = await runCheck(copy)
  assert.equal(code, 1)
  assert.match(output, /import cycle between features: builds → streams → builds\. Remove one of: /)
  assert.match(
    output,
    /^packages\/server\/src\/lib\/planted\.ts:2 lib\/planted\.ts may not import http\/endpoint\.ts/m,
  )
})

test('draws the feature diagram that is in docs/architecture.md', async () => {
  const { output } = await runCheck('--draw')
  const page = await readFile(join(root, 'docs/architecture.md'), 'utf8')
  assert.ok(page.includes(output.trim()), `node scripts/check-layers.ts --draw prints:\n${output}`)
})
