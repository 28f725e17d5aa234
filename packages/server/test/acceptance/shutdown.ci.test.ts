import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { expectOk } from './client.ts'
import { sha256 } from './content.ts'
import { isFullSize } from './full-size.ts'
import { prepareService, readiness, type Service } from './npm-start.ts'
import { descendantsOf, isRunning, processesIn } from './processes.ts'
import { folderOnly, storesInS3 } from './test-storage.ts'
import { hashOfContent, sendContent } from './transfer.ts'
import { until } from './until.ts'

const sizeBytes = 24 * 1024 * 1024
/** The service waits up to 30 s for its clients. Stopping it and PostgreSQL takes time too. */
const maxShutdownMs = 45_000

/** Uploads the file and returns its download URL, which remains valid when the service restarts. */
async function uploadFile({ client }: Service): Promise<string> {
  const { data: application } = expectOk(await client.createApplication('Shutdown'))
  const upload = expectOk(
    await client.request(application.id, { primary_file: { filename: 'large.bin', size_bytes: sizeBytes } }),
  )
  const { url, headers } = upload.primary_file.presigned_data
  await sendContent(url, 1, 0, sizeBytes, headers)
  const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
  return expectOk(await client.download(application.id, build_id)).primary_file.temp_url
}

/** Starts a download but reads only the response headers; `finish` reads the body. */
async function startDownload(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(request(url, { headers, agent: false }).end(), 'response')) as [
    IncomingMessage,
  ]
  assert.equal(response.statusCode, headers['range'] === undefined ? 200 : 206)
  return {
    async finish(): Promise<string> {
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      return sha256(Buffer.concat(chunks))
    },
  }
}

function assertNothingRuns({ dataDir }: Service): void {
  assert.deepEqual(processesIn(dataDir), [])
}

// One test in the last group waits 30 s, so the groups run concurrently.
describe('shutdown', { concurrency: 2 }, () => {
  describe('of a service under npm', { concurrency: 1 }, () => {
    let service: Service
    /** The download URL of a file that is far larger than the connection buffers. */
    let fileUrl: string

    before(async () => {
      service = await prepareService({ usesNpm: true })
      await service.start()
      fileUrl = await uploadFile(service)
    })
    beforeEach(async () => {
      const { exitCode, signalCode } = service.current().main
      if (exitCode !== null || signalCode !== null) await service.start()
    })
    after(() => service.remove())

    test('completes the downloads in progress and exits with code 0 after npm receives SIGTERM', async () => {
      const download = await startDownload(fileUrl)
      const rangeDownload = await startDownload(fileUrl, { range: `bytes=1024-${sizeBytes - 1}` })
      const { main: npm, exited } = service.current()
      npm.kill('SIGTERM')
      await until('the service is not ready', async () => (await readiness(service.url)) !== 200, {
        // The service closes downloads that are still in progress after 30 s.
        withinMs: 20_000,
        everyMs: 5,
      })
      // The downloads are the only remaining work, so they are what the service is waiting for, unless S3 sends them.
      if (!storesInS3) assert.equal(npm.exitCode, null)
      assert.equal(await download.finish(), hashOfContent(1, 0, sizeBytes))
      if (!storesInS3) assert.equal(npm.exitCode, null)
      assert.equal(await rangeDownload.finish(), hashOfContent(1, 1024, sizeBytes - 1024))
      const finished = performance.now()
      assert.equal(await exited, 0)
      assert.ok(performance.now() - finished < maxShutdownMs)
      assertNothingRuns(service)
    })

    test('completes an upload that is in progress at SIGTERM and keeps the file after a restart', async () => {
      const { client } = service
      const { data: application } = expectOk(await client.createApplication('Shutdown'))
      const upload = expectOk(
        await client.request(application.id, { primary_file: { filename: 'slow.bin', size_bytes: 100_000 } }),
      )
      const { url, headers } = upload.primary_file.presigned_data
      const sending = request(url, { method: 'PUT', headers })
      const responded = once(sending, 'response') as Promise<[IncomingMessage]>
      await new Promise((done) => sending.write(Buffer.alloc(50_000, 'a'), done))
      // The response to a later request shows that the PUT has arrived.
      assert.ok(await service.isReady())
      service.current().main.kill('SIGTERM')
      await until('the service is not ready', async () => !(await service.isReady()), { everyMs: 5 })
      sending.end(Buffer.alloc(50_000, 'b'))
      const [response] = await responded
      assert.equal(response.resume().statusCode, 200)
      assert.equal(await service.current().exited, 0)
      await service.start()
      const { build } = expectOk(await client.verify(upload.pending_upload_id))
      assert.equal(`"${build.primary_file.checksum_md5}"`, response.headers.etag)
    })

    /** Sends SIGINT to every process in the group, as a terminal does. npm also forwards the signal to the service. */
    function pressCtrlC(): void {
      process.kill(-(service.current().main.pid ?? 0), 'SIGINT')
    }

    test('shuts down cleanly when Ctrl-C reaches both npm and the service', async () => {
      pressCtrlC()
      await service.current().exited
      assert.match(service.current().output(), /SIGINT: stopping/)
      await until('no process is left', () => processesIn(service.dataDir).length === 0)
    })

    test('stops PostgreSQL when the terminal is closed', async () => {
      const { main: npm, exited } = service.current()
      // Closing a terminal, or `tmux kill-server`, sends SIGHUP to every process in the group.
      process.kill(-(npm.pid ?? 0), 'SIGHUP')
      await exited
      await until('no process is left', () => processesIn(service.dataDir).length === 0)
    })

    test(
      'aborts the download in progress on a second Ctrl-C and still stops PostgreSQL',
      folderOnly,
      async () => {
        const download = await startDownload(fileUrl)
        const pid = service.servicePid() ?? 0
        pressCtrlC()
        const pressed = performance.now()
        await until('more than a second has passed', () => performance.now() - pressed > 1_200)
        assert.ok(isRunning(pid), 'the service does not wait for the download')
        pressCtrlC()
        // A download in progress would otherwise delay the exit by 30 s.
        await until('the service has exited', () => !isRunning(pid), { withinMs: 20_000 })
        await assert.rejects(download.finish())
        await service.current().exited
        await until('no process is left', () => processesIn(service.dataDir).length === 0)
      },
    )
  })

  describe('during startup and with a stalled client', { concurrency: 1 }, () => {
    test('leaves no processes running after SIGTERM during startup', async () => {
      const starting = await prepareService({ usesNpm: true })
      try {
        const { main: npm, exited } = starting.launch()
        await until('PostgreSQL starts', () => starting.databasePid() !== undefined, { everyMs: 1 })
        npm.kill('SIGTERM')
        assert.equal(await exited, 0)
        const nothingRuns = () => processesIn(starting.dataDir).length === 0
        await until('no process is left', nothingRuns)
        assert.deepEqual(descendantsOf(npm.pid ?? 0), [])
      } finally {
        await starting.remove()
      }
    })

    test(
      'waits at most 30 s during shutdown for a client that does not read its response',
      { skip: folderOnly.skip || (!isFullSize && 'takes 30 s; set QUAYSIDE_SLOW_TESTS=1') },
      async () => {
        const service = await prepareService({ usesNpm: true })
        try {
          await service.start()
          const downloading = request(await uploadFile(service), { agent: false }).end()
          const [response] = (await once(downloading, 'response')) as [IncomingMessage]
          response.on('error', () => undefined)
          const start = performance.now()
          assert.equal(await service.stop(), 0)
          assert.ok(performance.now() - start < maxShutdownMs)
          assertNothingRuns(service)
        } finally {
          await service.remove()
        }
      },
    )
  })
})
