import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packWorkspaces, type PackedPackage } from '../../../scripts/package/pack-workspaces.ts'
import { findSupportedNode } from '../../server/test/acceptance/supported-node.ts'
import { runJson, runQuayside, startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const maxPackageBytes = 5 * 1024 * 1024

let folder: string
let packages: PackedPackage[]
let node: string
let service: Service

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-packed-'))
  node = await findSupportedNode()
  packages = await packWorkspaces(repository, folder, ['@quayside/sdk', '@quayside/cli'])
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const tarballs = packages.map(({ filename }) => join(folder, filename))
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], {
    cwd: folder,
  })
  service = await startService()
})

after(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

test('packs only the build output, package.json, the README, the man page and the license', () => {
  assert.deepEqual(
    packages.map(({ name }) => name),
    ['@quayside/sdk', '@quayside/cli'],
  )
  for (const { name, size, files } of packages) {
    assert.ok(size < maxPackageBytes, `${name} has ${size} bytes`)
    const paths = new Set(files.map(({ path }) => path))
    assert.equal(paths.has('dist/client.d.ts'), name === '@quayside/sdk')
    const others = [...paths].filter((path) => !/^(bin|dist)\/.*\.(js|d\.ts)$/.test(path))
    assert.deepEqual(others.toSorted(), [
      'LICENSE',
      'README.md',
      ...(name === '@quayside/cli' ? ['man/quayside.1'] : []),
      'package.json',
    ])
  }
})

test('installs the CLI and SDK without the server', () => {
  assert.ok(!existsSync(join(folder, 'node_modules/@quayside/server')))
})

test('uploads, lists and downloads a build when installed outside the repository', async (t) => {
  const { stdout: version } = await run(node, ['--version'])
  t.diagnostic(`with Node ${version.trim()}`)
  const program = join(folder, 'node_modules/@quayside/cli/bin/quayside.js')
  const options = { node, program, cwd: folder }
  const content = randomBytes(12 * 1024 * 1024)
  await writeFile(join(folder, 'app-1.2.3.bin'), content)

  await runJson(service, ['applications', 'create', 'App'], options)
  const { build_id } = await runJson<{ build_id: string }>(service, ['upload', 'app-1.2.3.bin'], options)
  const builds = await runJson<{ id: string; version: string }[]>(service, ['builds', 'list'], options)
  assert.deepEqual(
    builds.map(({ id, version }) => [id, version]),
    [[build_id, '1.2.3']],
  )
  const download = await runQuayside(service, ['download', 'latest', '--output', 'copy.bin'], options)
  assert.equal(download.code, 0, download.stderr)
  assert.ok(content.equals(await readFile(join(folder, 'copy.bin'))))
  assert.doesNotMatch(download.stderr, /Warning/)
})

test('exits with code 130 when SIGINT reaches only its own process', async () => {
  const program = join(folder, 'node_modules/@quayside/cli/bin/quayside.js')
  const reached = service.gate.holdAfter(4 * 1024 * 1024, 'down')
  const args = ['download', 'latest', '--output', 'interrupted.bin']
  const running = startQuayside(service, args, { node, program, cwd: folder })
  await Promise.race([reached, running.ended])
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  service.gate.release()
  assert.deepEqual([code, /Interrupted/.test(stderr)], [130, true], stderr)
})

test('imports every module of the SDK by its name', async () => {
  const manifest = JSON.parse(
    await readFile(join(folder, 'node_modules/@quayside/sdk/package.json'), 'utf8'),
  ) as {
    exports: Record<string, unknown>
  }
  const names = Object.keys(manifest.exports).map((path) => `@quayside/sdk${path.slice(1)}`)
  assert.ok(names.includes('@quayside/sdk/composition'))
  const source = `for (const name of ${JSON.stringify(names)}) await import(name)
    const { createClient } = await import('@quayside/sdk')
    console.log(typeof createClient({ baseUrl: '' }).listBuilds)`
  const { stdout } = await run(node, ['--input-type=module', '--eval', source], { cwd: folder })
  assert.equal(stdout.trim(), 'function')
})

test('runs through npx in the repository without a prior build', async () => {
  const env = {
    HOME: folder,
    PATH: [dirname(node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  }
  const { stdout } = await run('npx', ['quayside', '--version'], { cwd: repository, env })
  assert.equal(stdout.trim(), '0.1.0')
})
