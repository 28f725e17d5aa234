import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import type { FullBuild, FullRelease, UploadRequest } from '@quayside/sdk'
import { debianPackage } from '../../server/test/debian-package.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Uploaded = { build_id: string; unchanged: boolean; release_id?: string; notified_count?: number }

const settings = createRequire(import.meta.url).resolve('io.appium.settings/package.json')
const publishedApk = join(dirname(settings), 'apks/settings_apk-debug.apk')

let service: Service
const env = { QUAYSIDE_APPLICATION: 'Game' }

const run = (args: string[]) => runInProcess(service, args, { env })
const json = <Output>(args: string[]) => jsonInProcess<Output>(service, args, { env })
const upload = (...args: string[]) => json<Uploaded>(['upload', 'game-1.0.0.bin', '--no-scm', ...args])
const countBuilds = async () => (await json<FullBuild[]>(['builds', 'list', '--all'])).length
const changeFile = () => writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))

before(async () => {
  service = await startService()
  await changeFile()
  await json(['applications', 'create', 'Game', '--platform', 'linux', '--platform', 'android'])
})

after(() => service.close())

test('uploads nothing when the latest build of the stream has the same files', async () => {
  const first = await upload('--if-changed')
  const repeated = await upload('--if-changed')
  assert.deepEqual([repeated.build_id, repeated.unchanged], [first.build_id, true])
  const elsewhere = await upload('--if-changed', '--stream', 'nightlies')
  assert.equal(elsewhere.unchanged, false)
  await changeFile()
  assert.equal((await upload('--if-changed')).unchanged, false)
})

test('adds an uploaded build to a release and notifies a distribution group', async () => {
  const client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
  const { data: group } = await client.createDistributionGroup({ body: { name: 'Testers' } })
  await client.createDistributionGroupMembers({
    distribution_group_id: group.id,
    body: { emails: ['ada@example.com'] },
  })
  const missing = await run(['upload', 'game-1.0.0.bin', '--release', '2.0.0'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /Release "2\.0\.0" was not found/)
  const first = await upload('--release', '2.0.0', '--create-release', '--group', 'testers')
  assert.equal(first.notified_count, 1)
  const second = await upload('--release', '2.0.0', '--create-release', '--group', group.id, '--no-notify')
  assert.deepEqual([second.release_id, second.notified_count], [first.release_id, 0])
  const release = await json<FullRelease>(['releases', 'view', '2.0.0'])
  assert.deepEqual(
    release.builds.map(({ id }) => id).toSorted(),
    [first.build_id, second.build_id].toSorted(),
  )
})

test('reports an unknown release, group or stream before anything is uploaded', async () => {
  const count = await countBuilds()
  const table: [string[], number, RegExp][] = [
    [['--release', '9.9.9'], 1, /Release "9\.9\.9" was not found/],
    [['--group', 'Testers'], 2, /--group requires --release/],
    [['--release', '9.9.9', '--create-release', '--group', 'none'], 1, /No distribution group "none"/],
    [['--stream', 'none'], 1, /"none" is not a stream.*Streams: default, nightlies, stable\./],
    [['--architecture', 'quantum'], 1, /"quantum" is not supported\. linux supports: .*arm64v8/],
  ]
  for (const [args, code, message] of table) {
    const result = await run(['upload', 'game-1.0.0.bin', '--no-scm', ...args])
    assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`)
    assert.match(result.stderr, message)
  }
  assert.equal(await countBuilds(), count)
})

test('prints what an upload would send without sending it', async () => {
  const count = await countBuilds()
  const dryRun = ['upload', 'game-1.0.0.bin', '--no-scm', '--dry-run', '--stream', 'stable']
  const { request } = await json<{ request: UploadRequest }>([...dryRun, '--architecture', 'amd64,arm64'])
  assert.deepEqual([request.stream, request.architectures], ['stable', ['x64', 'arm64v8']])
  assert.match((await run(dryRun)).stdout, /^stream +stable +--stream$/m)
  assert.equal((await run([...dryRun, '--architecture', 'quantum'])).code, 1)
  assert.equal((await run([...dryRun, '--stream', 'none'])).code, 1)
  assert.equal((await run([...dryRun, '--platform', 'ios'])).code, 1)
  assert.equal(await countBuilds(), count)
})

test('waits until the server has processed the build', async () => {
  await writeFile(join(service.folder, 'disc-1.0.0.iso'), randomBytes(500))
  const result = await run(['upload', 'disc-1.0.0.iso', '--no-scm', '--wait', '--wait-timeout', '30s'])
  assert.equal(result.code, 0, result.stderr)
  assert.doesNotMatch(result.stderr, /Waiting|still reading/, 'files of this type are not read')
})

test('waits for every type of package that the server reads', async () => {
  const control = { Package: 'harbor', Version: '1.4.2', Architecture: 'amd64', Maintainer: 'Harbor Team' }
  await writeFile(join(service.folder, 'harbor-1.4.2.deb'), debianPackage(control))
  const { processing, build } = await json<{ processing: string; build: FullBuild }>(
    'upload harbor-1.4.2.deb --platform linux --no-scm --wait'.split(' '),
  )
  assert.deepEqual([processing, build.file_info?.name], ['done', 'harbor'])
})

test('shows the metadata of a package after waiting for the server to read it', async () => {
  await copyFile(publishedApk, join(service.folder, 'settings-1.0.0.apk'))
  const uploaded = await run(['upload', 'settings-1.0.0.apk', '--platform', 'android', '--no-scm', '--wait'])
  assert.equal(uploaded.code, 0, uploaded.stderr)
  assert.match(uploaded.stdout, /^Package +io\.appium\.settings$/m)
  const { stdout } = await run(['builds', 'view', 'latest', '--platform', 'android'])
  assert.match(stdout, /^Package version +\d+\.\d+\.\d+ \(\d+\)$/m)
  assert.match(stdout, /^Signing +SHA-256 [0-9a-f]{64}$/m)
})

test('fails if the server cannot read the uploaded package', async () => {
  await writeFile(
    join(service.folder, 'broken-1.0.0.apk'),
    Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(500)]),
  )
  const result = await run(['upload', 'broken-1.0.0.apk', '--platform', 'android', '--no-scm', '--wait'])
  assert.equal(result.code, 1, result.stderr)
  assert.match(result.stderr, /was uploaded, but the server could not read its package: [A-Z].*\./)
  assert.match(result.stdout, /^Processing +failed: /m)
})

test('finds the build that has the same bytes as a local file', async () => {
  await changeFile()
  const { build_id } = await upload()
  const [found] = await json<{ build_id: string; matches: boolean }[]>(['verify', 'game-1.0.0.bin'])
  assert.deepEqual([found?.build_id, found?.matches], [build_id, true])
  assert.equal((await run(['verify', 'game-1.0.0.bin', '--build', 'latest'])).code, 0)
  await changeFile()
  const differing = await run(['verify', 'game-1.0.0.bin', '--build', build_id])
  assert.equal(differing.code, 1)
  assert.match(differing.stderr, new RegExp(`The build ${build_id} has no file with these bytes`))
  assert.equal((await run(['verify', 'game-1.0.0.bin'])).code, 1)
})
