import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { jsonInProcess } from './run-in-process.ts'
import { startQuayside } from './run-quayside.ts'
import { startServerProcess } from './running-server.ts'
import type { ServerProcess } from './running-server.ts'
import { downloadedSha256, randomFile, sha256 } from './upload-files.ts'

type Uploaded = { build: { id: string } }

const mib = 1024 * 1024
let service: ServerProcess

before(async () => {
  service = await startServerProcess()
  await jsonInProcess(service, ['applications', 'create', 'App'])
})

after(() => service.close())

test('completes an upload after the server is killed and restarted', async () => {
  const path = await randomFile(service, 'app-2.0.0.bin', 25 * mib)
  const reached = service.gate.holdAfter(15 * mib)
  // On a busy machine, the start takes longer than a part is sent again.
  const running = startQuayside(service, ['upload', path, '--retry-for', '30m', '--json'])
  await reached
  await service.kill()
  const killedAt = performance.now()
  service.gate.release()
  await service.start()
  const isShortOutage = performance.now() - killedAt < 25_000
  const result = await running.ended
  assert.equal(result.code, 0, result.stderr)
  // Only progress is printed, although the server was temporarily unavailable, unless a part could not be sent again in time.
  const notes = result.stderr.replaceAll(/^app-2\.0\.0\.bin: \d+%.*\n/gm, '')
  assert.match(notes, isShortOutage ? /^$/ : /^(.* Retrying for another .*\n)*$/)
  const { build } = JSON.parse(result.stdout) as Uploaded
  assert.equal(await downloadedSha256(service, build.id), await sha256(path))
})
