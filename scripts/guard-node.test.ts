import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..')
let folder: string

/** The guard is in a repository without a bundled Node, as on macOS. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-guard-'))
  await mkdir(join(folder, 'scripts'))
  await copyFile(join(root, 'scripts/guard-node.cjs'), join(folder, 'scripts/guard-node.cjs'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs the guard as if this were another version of Node. */
async function guard(version: string): Promise<{ status: number | null; stderr: string }> {
  const pretend = join(folder, 'version.cjs')
  await writeFile(
    pretend,
    `Object.defineProperty(process, 'version', { value: 'v${version}' })
     Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
  )
  const args = ['--require', pretend, join(folder, 'scripts/guard-node.cjs')]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
  return { status, stderr }
}

test('allows the versions of Node that the server supports', async () => {
  const { engines } = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const required = engines.node.replace('>=', '')
  for (const version of [`${required}.0`, '24.21.0', '26.0.0'])
    assert.equal((await guard(version)).status, 0, version)
  for (const version of ['24.6.9', '24.0.0', '23.9.0', '8.17.0']) {
    const { status, stderr } = await guard(version)
    assert.equal(status, 1, version)
    assert.match(stderr, new RegExp(`requires Node ${required} or newer, and this is Node ${version}\\.`))
  }
})
