import assert from 'node:assert/strict'
import { copyFile, mkdir, open, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { killAfter, runQuayside, startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'
import { downloadedSha256, randomFile, sha256, stateFiles } from './upload-files.ts'

type Uploaded = {
  build_id: string
  version: string
  sent_bytes: number
  reused_bytes: number
  build: FullBuild
}
type FullBuild = {
  id: string
  build_source: string
  platform: { identifier: string }
  stream: { name: string }
  labels: { name: string }[]
  architectures: { identifier: string }[]
  notes: string | null
  build_number: string | null
  scm: Record<string, string | null>
  primary_file: { filename: string; size_bytes: number }
  expansion_files: { filename: string }[]
  metadata_artifacts: { filename: string }[]
}

const mib = 1024 * 1024
let service: Service
let application: string

before(async () => {
  service = await startService()
  const platforms = ['generic', 'android'].flatMap((platform) => ['--platform', platform])
  const created = await jsonInProcess<{ id: string }>(service, [
    'applications',
    'create',
    'App',
    ...platforms,
  ])
  application = created.id
})

after(() => service.close())

async function buildCount(): Promise<number> {
  return (await jsonInProcess<unknown[]>(service, ['builds', 'list', '--all'])).length
}

test('uploads a small file and applies the command-line options to the build', async () => {
  const path = await randomFile(service, 'game-1.4.0.zip', 3000)
  const labels = ['--label', 'smoke', '--label', 'qa']
  const more = ['--stream', 'nightlies', '--architecture', 'x64', '--notes', 'Hello', '--build-number', '77']
  const uploaded = await jsonInProcess<Uploaded>(service, [
    'upload',
    path,
    '--version',
    '2.0.0-rc.1+b5',
    ...labels,
    ...more,
  ])
  const { build } = uploaded
  assert.equal(uploaded.version, '2.0.0-rc.1+b5')
  assert.deepEqual([build.platform.identifier, build.stream.name], ['generic', 'nightlies'])
  assert.deepEqual(build.labels.map(({ name }) => name).toSorted(), ['qa', 'smoke'])
  assert.deepEqual(
    [build.architectures[0]?.identifier, build.notes, build.build_number],
    ['x64', 'Hello', '77'],
  )
  assert.deepEqual([build.build_source, uploaded.sent_bytes, uploaded.reused_bytes], ['cli-upload', 3000, 0])
  assert.equal(await downloadedSha256(service, build.id), await sha256(path))
  assert.deepEqual(await stateFiles(service), [])
})

test('reads the version, repository and commit from the CI environment', async () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_RUN_ID: '7',
    GITHUB_REF: 'refs/tags/v3.1.0-beta.2',
    GITHUB_REF_TYPE: 'tag',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_EVENT_NAME: 'push',
  }
  const { version, build } = await jsonInProcess<Uploaded>(
    service,
    ['upload', await randomFile(service, 'app.zip', 10)],
    {
      env,
    },
  )
  assert.deepEqual([version, build.build_source], ['3.1.0-beta.2', 'ghactions'])
  assert.equal(build.scm['scm_commit_sha'], 'a'.repeat(40))
  assert.equal(build.scm['scm_repo_url'], 'https://github.com/acme/app')
})

test('uploads an APK with an expansion file and a metadata artifact', async () => {
  const apk = await randomFile(service, 'game-1.0.0.apk', 6 * mib)
  await writeFile(apk, 'PK\u0003\u0004', { flag: 'r+' })
  const obb = await randomFile(service, 'main.1.com.acme.game.obb', 7 * mib)
  const notes = await randomFile(service, 'report.json', 500)
  const { build } = await jsonInProcess<Uploaded>(service, [
    'upload',
    apk,
    '--expansion',
    obb,
    '--metadata',
    notes,
  ])
  assert.equal(build.platform.identifier, 'android')
  const full = await jsonInProcess<FullBuild>(service, ['builds', 'get', build.id])
  assert.deepEqual(
    full.expansion_files.map(({ filename }) => filename),
    ['main.1.com.acme.game.obb'],
  )
  assert.deepEqual(
    full.metadata_artifacts.map(({ filename }) => filename),
    ['report.json'],
  )
  const folder = join(service.folder, 'both')
  await mkdir(folder)
  await jsonInProcess(service, ['download', build.id, '--output', folder])
  assert.equal(await sha256(join(folder, 'game-1.0.0.apk')), await sha256(apk))
  assert.equal(await sha256(join(folder, 'main.1.com.acme.game.obb')), await sha256(obb))
})

test('resumes an upload after the client is killed', async () => {
  const path = await randomFile(service, 'big-1.0.0.bin', 43 * mib + 5)
  assert.equal((await killAfter(service, 35 * mib, ['upload', path])).signal, 'SIGKILL')
  assert.equal((await stateFiles(service)).length, 1)
  // After the client has exited, the gate still forwards its buffered bytes to the server.
  await service.gate.drained()
  const maxStored = Math.floor(service.gate.sent() / (5 * mib))

  const second = await runQuayside(service, ['upload', path])
  assert.equal(second.code, 0, second.stderr)
  const [, reused, parts] = /Resuming: (\d+) of (\d+) parts already uploaded/.exec(second.stderr) ?? []
  assert.equal(parts, '9')
  assert.ok(
    Number(reused) >= 3 && Number(reused) <= maxStored && maxStored < 9,
    `${maxStored}; ${second.stderr}`,
  )
  const id = /^Build +(\S+)/m.exec(second.stdout)?.[1] ?? ''
  assert.equal(await downloadedSha256(service, id), await sha256(path))
  assert.deepEqual(await stateFiles(service), [])
})

test('prints how to resume after Ctrl-C and resumes when the command is rerun', async () => {
  const path = await randomFile(service, 'app-3.0.0.bin', 30 * mib)
  const reached = service.gate.holdAfter(22 * mib)
  const running = startQuayside(service, ['upload', path])
  await reached
  running.child.kill('SIGINT')
  service.gate.release()
  const result = await running.ended
  assert.equal(result.code, 130, result.stderr)
  assert.match(result.stderr, /Interrupted after \d of 6 parts\. Rerun the command to resume/)
  const again = await jsonInProcess<Uploaded>(service, ['upload', path])
  assert.equal(again.sent_bytes + again.reused_bytes, 30 * mib)
  assert.ok(again.reused_bytes >= 5 * mib)
})

test('returns the existing build when the state file belongs to a completed upload', async () => {
  const path = await randomFile(service, 'app-4.0.0.bin', 15 * mib)
  const reached = service.gate.holdAfter(5 * mib)
  const running = runInProcess(service, ['upload', path, '--json'])
  await reached
  const [state = ''] = await stateFiles(service)
  await copyFile(state, `${service.folder}/state-copy`)
  service.gate.release()
  const { build_id } = JSON.parse((await running).stdout) as Uploaded
  await copyFile(`${service.folder}/state-copy`, state)
  const before = await buildCount()
  const again = await jsonInProcess<Uploaded>(service, ['upload', path])
  assert.deepEqual([again.build_id, again.sent_bytes], [build_id, 0])
  assert.equal(await buildCount(), before)
  assert.deepEqual(await stateFiles(service), [])
})

test('creates only one build when two concurrent runs upload the same file', async () => {
  const path = await randomFile(service, 'app-4.5.0.bin', 25 * mib)
  const count = await buildCount()
  const reached = service.gate.holdAfter(10 * mib)
  const first = startQuayside(service, ['upload', path, '--json'])
  await reached
  // The gate stays closed until the second run has connected, so the first run cannot finish before that.
  const connected = service.gate.nextClient()
  const second = startQuayside(service, ['upload', path, '--json'])
  await connected
  service.gate.release()
  const results = await Promise.all([first.ended, second.ended])
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0],
    results.map(({ stderr }) => stderr).join(),
  )
  const [one, other] = results.map(({ stdout }) => (JSON.parse(stdout) as Uploaded).build_id)
  assert.equal(one, other)
  assert.equal(await buildCount(), count + 1)
})

test('resends a part whose stored content differs from the local file', async () => {
  const path = await randomFile(service, 'app-5.0.0.bin', 30 * mib)
  const longAgo = new Date('2026-01-01T00:00:00Z')
  await utimes(path, longAgo, longAgo)
  const reached = service.gate.holdAfter(25 * mib)
  const running = startQuayside(service, ['upload', path])
  await reached
  running.child.kill('SIGKILL')
  await running.ended
  service.gate.release()
  const file = await open(path, 'r+')
  await file.write('other bytes', 1000)
  await file.close()
  await utimes(path, longAgo, longAgo)
  const again = await jsonInProcess<Uploaded>(service, ['upload', path])
  assert.ok(again.reused_bytes >= 5 * mib && again.sent_bytes >= 5 * mib, `sent ${again.sent_bytes} bytes`)
  assert.equal(await downloadedSha256(service, again.build_id), await sha256(path))
})

test('rejects a file that changes during the upload', async () => {
  const path = await randomFile(service, 'app-6.0.0.bin', 20 * mib)
  const count = await buildCount()
  const reached = service.gate.holdAfter(10 * mib)
  const running = runInProcess(service, ['upload', path])
  await reached
  await writeFile(path, 'more', { flag: 'a' })
  service.gate.release()
  const result = await running
  assert.equal(result.code, 1)
  assert.match(result.stderr, /changed while it was being uploaded/)
  assert.equal(await buildCount(), count)
  assert.deepEqual(await stateFiles(service), [])
})

test('does not require --application with an application key', async () => {
  const create = ['keys', 'create', 'ci', '--application', 'App', '--scope', 'builds:create']
  const { key } = await jsonInProcess<{ key: string }>(service, create)
  assert.match(key, /^qsa_/)
  const path = await randomFile(service, 'app-8.0.0.zip', 100)
  const { build } = await jsonInProcess<Uploaded & { build: { application_id: string } }>(
    service,
    ['upload', path],
    {
      env: { QUAYSIDE_API_KEY: key },
    },
  )
  assert.equal(build.application_id, application)
})
