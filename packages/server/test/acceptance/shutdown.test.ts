import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { expectOk } from './client.ts'
import { sha256 } from './content.ts'
import { prepareService, readiness, type Service } from './npm-start.ts'
import { descendantsOf, isRunning, processesIn } from './processes.ts'
import { hashOfContent, hashOfDownload, sendContent } from './transfer.ts'
import { until } from './until.ts'

const sizeBytes = 24 * 1024 * 1024

let service: Service

before(async () => {
  service = await prepareService()
})
beforeEach(async () => {
  await service.stop()
  await service.start()
})
after(() => service.remove())

/** URL of a build's file that is far too large for the buffers of a connection. */
async function uploadedFile(): Promise<string> {
  const { client } = service
  const { data: application } = expectOk(await client.createApplication('Shutdown'))
  const upload = expectOk(
    await client.request(application.id, { primary_file: { filename: 'large.bin', size_bytes: sizeBytes } }),
  )
  await sendContent(upload.primary_file.presigned_data.url, 1, 0, sizeBytes)
  const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
  return expectOk(await client.download(application.id, build_id)).primary_file.temp_url
}

/** A download of which nothing but the headers is read until `finish`. */
async function startDownload(url: string) {
  const [response] = (await once(request(url, { agent: false }).end(), 'response')) as [IncomingMessage]
  return {
    async finish(): Promise<string> {
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      return sha256(Buffer.concat(chunks))
    },
  }
}

function assertNothingRuns(): void {
  assert.deepEqual(processesIn(service.dataDir), [])
}

test('SIGTERM to npm with a download in flight: not ready at once, the download completes, exit 0, nothing is left', async () => {
  const download = await startDownload(await uploadedFile())
  const { npm, exited } = service.current()
  npm.kill('SIGTERM')
  await until('it is not ready', async () => (await readiness(service.url)) !== 200, {
    withinMs: 2_000,
    everyMs: 5,
  })
  // only the download is left, and it is waited for
  assert.equal(npm.exitCode, null)
  assert.equal(await download.finish(), hashOfContent(1, 0, sizeBytes))
  const finished = performance.now()
  assert.equal(await exited, 0)
  assert.ok(performance.now() - finished < 35_000)
  assertNothingRuns()
})

test('SIGTERM with an upload in flight: it is stored, answered 200, and known after the next start', async () => {
  const { client } = service
  const { data: application } = expectOk(await client.createApplication('Shutdown'))
  const upload = expectOk(
    await client.request(application.id, { primary_file: { filename: 'slow.bin', size_bytes: 100_000 } }),
  )
  const { url } = upload.primary_file.presigned_data
  const sending = request(url, { method: 'PUT', headers: { 'content-length': 100_000 } })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  await new Promise((done) => sending.write(Buffer.alloc(50_000, 'a'), done))
  // a second request on its way in tells that the first one has arrived
  assert.ok(await service.isReady())
  service.current().npm.kill('SIGTERM')
  await until('it is not ready', async () => !(await service.isReady()), { everyMs: 5 })
  sending.end(Buffer.alloc(50_000, 'b'))
  const [response] = await answered
  assert.equal(response.resume().statusCode, 200)
  assert.equal(await service.current().exited, 0)
  await service.start()
  const { build } = expectOk(await client.verify(upload.pending_upload_id))
  assert.equal(`"${build.primary_file.checksum_md5}"`, response.headers.etag)
})

/** What a terminal does: every process of the group gets it, and npm hands it on to the service besides. */
function pressCtrlC(): void {
  process.kill(-(service.current().npm.pid ?? 0), 'SIGINT')
}

test('Ctrl-C in the terminal, which reaches npm and the service, ends all in order', async () => {
  pressCtrlC()
  await service.current().exited
  assert.match(service.current().output(), /SIGINT: stopping/)
  await until('nothing is left', () => processesIn(service.dataDir).length === 0)
})

test('Ctrl-C again a while later cuts the download that is waited for, and still ends PostgreSQL', async () => {
  const download = await startDownload(await uploadedFile())
  const pid = service.servicePid() ?? 0
  pressCtrlC()
  const pressed = performance.now()
  await until('it is a while later', () => performance.now() - pressed > 1_200)
  assert.ok(isRunning(pid), 'the download is not waited for')
  pressCtrlC()
  await until('the service has gone', () => !isRunning(pid), { withinMs: 10_000 })
  await assert.rejects(download.finish())
  await until('nothing is left', () => processesIn(service.dataDir).length === 0)
})

test('SIGTERM while it starts: it ends, and nothing is left running', async () => {
  await service.stop()
  const { npm, exited } = service.launch()
  await until('PostgreSQL starts', () => service.databasePid() !== undefined, { everyMs: 1 })
  npm.kill('SIGTERM')
  assert.equal(await exited, 0)
  await until('nothing is left', () => processesIn(service.dataDir).length === 0, { withinMs: 10_000 })
  assert.deepEqual(descendantsOf(npm.pid ?? 0), [])
})

test(
  'a client that reads nothing at all is waited for no longer than 30 s',
  { skip: process.env['QUAYSIDE_SLOW_TESTS'] === undefined && 'takes 30 s; QUAYSIDE_SLOW_TESTS=1 runs it' },
  async () => {
    const [response] = (await once(request(await uploadedFile(), { agent: false }).end(), 'response')) as [
      IncomingMessage,
    ]
    response.on('error', () => undefined)
    const began = performance.now()
    assert.equal(await service.stop(), 0)
    assert.ok(performance.now() - began < 35_000)
    assertNothingRuns()
  },
)

test('a download with a range goes on as well', async () => {
  const url = await uploadedFile()
  const range = { start: 1024, end: sizeBytes - 1 }
  const slow = hashOfDownload(url, { range, pauseMs: 1 })
  await until('it is under way', () => service.isReady())
  service.current().npm.kill('SIGTERM')
  assert.equal(await slow, hashOfContent(1, range.start, sizeBytes - range.start))
  assert.equal(await service.current().exited, 0)
})
