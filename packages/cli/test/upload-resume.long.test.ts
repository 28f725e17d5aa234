import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { killAfter, startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'
import { downloadedSha256, randomFile, sha256, stateFiles } from './upload-files.ts'

type Uploaded = {
  build_id: string
  sent_bytes: number
  reused_bytes: number
  build: { stream: { name: string }; labels: { name: string }[] }
}

type Built = {
  id: string
  metadata_artifacts: { id: string; filename: string; checksum_sha256: string }[]
}

const mib = 1024 * 1024
/** Size of the file whose upload a retried CI job resumes. */
const sizeMb = Number(process.env['QUAYSIDE_RESUME_MIB'] ?? 50)
let service: Service

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'App'])
})

after(() => service.close())

test('resumes with the options of the new run', async () => {
  const path = await randomFile(service, 'app-7.0.0.bin', 20 * mib)
  await killAfter(service, 16 * mib, ['upload', path, '--parallel', '1'])
  const options = ['--stream', 'stable', '--label', 'second']
  const again = await jsonInProcess<Uploaded>(service, ['upload', path, ...options])
  assert.ok(again.reused_bytes >= 10 * mib, `reused ${again.reused_bytes} bytes`)
  assert.equal(again.build.stream.name, 'stable')
  assert.deepEqual(
    again.build.labels.map(({ name }) => name),
    ['second'],
  )
})

test('resumes the upload when a CI job is retried in another folder with another home directory', async (t) => {
  const sizeBytes = sizeMb * mib
  const path = await randomFile(service, 'app-7.5.0.bin', sizeBytes)
  const ci = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/app', GITHUB_RUN_ID: '41' }
  const bytes = Math.ceil(0.7 * sizeBytes) + mib
  await killAfter(service, bytes, ['upload', path, '--parallel', '1', '--label', 'first'], {
    env: { ...ci, GITHUB_RUN_ATTEMPT: '1' },
  })

  const folder = join(service.folder, 'retried')
  await mkdir(folder)
  await copyFile(path, join(folder, 'app-7.5.0.bin'))
  const env = { ...ci, GITHUB_RUN_ATTEMPT: '2', HOME: folder, XDG_STATE_HOME: join(folder, 'state') }
  const create = ['keys', 'create', 'retry', '--application', 'App', '--scope', 'builds:create']
  const { key } = await jsonInProcess<{ key: string }>(service, create)
  const again = await jsonInProcess<Uploaded>(service, ['upload', 'app-7.5.0.bin', '--label', 'retried'], {
    cwd: folder,
    env: { ...env, QUAYSIDE_API_KEY: key },
  })
  const percent = ((100 * again.sent_bytes) / sizeBytes).toFixed(1)
  t.diagnostic(`sent ${percent} % of ${sizeMb} MiB again`)
  assert.ok(again.sent_bytes < 0.31 * sizeBytes, `sent ${again.sent_bytes} bytes again`)
  assert.equal(again.sent_bytes + again.reused_bytes, sizeBytes)
  assert.deepEqual(
    again.build.labels.map(({ name }) => name),
    ['retried'],
  )
  assert.equal(await downloadedSha256(service, again.build_id), await sha256(path))
})

test('sends a large metadata file in parts and resumes it', async () => {
  const earlierStates = await stateFiles(service)
  const path = await randomFile(service, 'app-7.5.5.bin', mib)
  const symbols = await randomFile(service, 'App.dSYM.zip', 20 * mib)
  const command = ['upload', path, '--metadata', symbols, '--parallel', '1']
  await killAfter(service, 16 * mib, command)
  // With `--json`, only progress is printed.
  const again = await runInProcess(service, command)
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stderr, /Resuming: [1-9]\d* of \d+ parts already uploaded\./)
  const build = await jsonInProcess<Built>(service, ['builds', 'view', 'latest', '--application', 'App'])
  assert.deepEqual(
    build.metadata_artifacts.map((artifact) => [artifact.filename, artifact.checksum_sha256]),
    [['App.dSYM.zip', await sha256(symbols)]],
  )
  assert.deepEqual(await stateFiles(service), earlierStates)
  const unchanged = await jsonInProcess<Uploaded & { metadata_artifacts: object[] }>(service, [
    ...command,
    '--if-changed',
  ])
  assert.equal(unchanged.build_id, build.id)
  const [{ id } = { id: '' }] = build.metadata_artifacts
  assert.deepEqual(unchanged.metadata_artifacts, [{ filename: 'App.dSYM.zip', metadata_artifact_id: id }])
})

test('requests a new URL for a small file if none of its bytes are stored', async () => {
  const path = await randomFile(service, 'app-7.6.0.bin', 4 * mib)
  const reached = service.gate.holdAfter(2 * mib)
  const first = startQuayside(service, ['upload', path])
  await reached
  // The operating system would otherwise send the rest of the file from its buffers.
  service.gate.disconnect()
  first.child.kill('SIGKILL')
  await first.ended
  service.gate.release()
  const [state = ''] = await stateFiles(service)
  const saved = await readFile(state, 'utf8')
  // Simulates a server whose public URL was wrong during the first run.
  await writeFile(state, saved.replaceAll(service.url, 'http://127.0.0.1:1'))
  const again = await jsonInProcess<Uploaded>(service, ['upload', path])
  assert.equal(again.sent_bytes, 4 * mib)
})

test('completes an upload with --retry-for once an unavailable server recovers', async () => {
  const path = await randomFile(service, 'app-7.7.0.bin', 6 * mib)
  service.gate.disconnect()
  const running = startQuayside(service, ['upload', path, '--retry-for', '10m'])
  let notes = ''
  await new Promise<void>((resolve) =>
    running.child.stderr?.on('data', (text: string) => {
      notes += text
      if (notes.includes('Retrying for another')) resolve()
    }),
  )
  service.gate.release()
  const result = await running.ended
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stdout, /^Version +7\.7\.0$/m)
})

test('prints how to resume when the --retry-for time has passed', async () => {
  const path = await randomFile(service, 'app-7.8.0.bin', 10)
  const env = { QUAYSIDE_SERVER: 'http://127.0.0.1:1' }
  const result = await runInProcess(service, ['upload', path, '--retry-for', '1s'], { env })
  assert.equal(result.code, 4)
  assert.match(result.stderr, /Rerun the command to resume\.\n$/)
})

test('rejects a FIFO, also in a folder, before connecting to the server', async () => {
  const folder = join(service.folder, 'with-fifo')
  await mkdir(folder)
  const fifo = join(folder, 'fifo-1.0.0.bin')
  execFileSync('mkfifo', [fifo])
  for (const path of [fifo, folder]) {
    const result = await runInProcess(service, ['upload', path])
    assert.equal(result.code, 1)
    assert.match(result.stderr, /fifo-1\.0\.0\.bin is (not a regular file|neither a file nor a folder)/)
  }
})
