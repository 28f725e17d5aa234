import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { expectOk, put } from './acceptance/client.ts'
import { prepareService, type Service } from './acceptance/npm-start.ts'
import { memoryOf, resetPeak } from './acceptance/processes.ts'
import { s3Environment } from './acceptance/test-storage.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { assertRanges, receiveParts } from './multipart-ranges.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'

const mebibyte = 1024 * 1024
const clients = 400
/** Without limits, the memory grew by 1,150 MiB. */
const maxGrowthBytes = 300 * mebibyte
const minServed = 200
const rangeBytes = 30_000
/** As many ranges as electron-updater requests at once. All of them together are almost the whole file. */
const ranges = Array.from(
  { length: 1000 },
  (_, index) => [index * (rangeBytes + 1), index * (rangeBytes + 1) + rangeBytes - 1] as const,
)
const rangeHeader = (list: readonly (readonly [number, number])[]) =>
  `bytes=${list.map((range) => range.join('-')).join(',')}`

const skip = missingS3Server !== false ? missingS3Server : process.platform !== 'linux' && 'needs /proc'

describe('clients that stop reading several ranges of files in S3', { skip }, () => {
  let service: Service
  let close: () => Promise<void>
  const bytes = randomBytes(32 * mebibyte)
  const urls: string[] = []
  let restBytes: number | undefined

  before(async () => {
    const { server, release } = await sharedS3Server()
    const { connection, drop } = await cloneDatabase()
    service = await prepareService({
      settings: {
        ...s3Environment(server),
        DATABASE_URL: databaseUrl(connection),
        QUAYSIDE_TRUSTED_PROXIES: '127.0.0.0/8,::1',
      },
    })
    close = async () => {
      await service.remove()
      await drop()
      await release()
    }
    await service.start()
    const { client } = service
    const applicationId = expectOk(await client.createApplication('Paused clients')).data.id
    for (let file = 0; file < 2; file++) {
      const primary_file = { filename: 'app.bin', size_bytes: bytes.length }
      const upload = expectOk(await client.request(applicationId, { primary_file }))
      await put(upload.primary_file.presigned_data, bytes)
      const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
      urls.push(expectOk(await client.download(applicationId, build_id)).primary_file.temp_url)
    }
  })
  after(() => close())

  /** Sends a request and stops reading after the first bytes of the response. */
  async function pauseDownload(url: string, address: string): Promise<{ socket: Socket; head: string }> {
    const socket = connect({ port: service.port, host: '127.0.0.1' })
    const { pathname, search } = new URL(url)
    const lines = [`Host: localhost`, `X-Forwarded-For: ${address}`, `Range: ${rangeHeader(ranges)}`]
    socket.write([`GET ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    const head = await new Promise<string>((resolve, reject) => {
      socket.once('error', reject).once('data', (chunk: Buffer) => {
        socket.pause()
        resolve(chunk.toString('latin1').split('\r\n\r\n', 1)[0] ?? '')
      })
    })
    socket.on('error', () => undefined)
    return { socket, head }
  }

  async function assertServed(url: string, address: string): Promise<void> {
    const some = ranges.slice(100, 140)
    const headers = { range: rangeHeader(some), 'x-forwarded-for': address }
    assertRanges(await receiveParts(await fetch(url, { headers })), some, bytes)
  }

  for (const [name, addressOf] of [
    ['of one network', () => '192.0.2.1'],
    ['of many networks', (index: number) => `198.51.100.${index % 250}`],
  ] as const)
    test(`bounds the memory of ${clients} clients ${name}, and serves another client`, async (t) => {
      const pid = service.servicePid()
      assert.ok(pid !== undefined)
      for (const url of urls) await assertServed(url, '203.0.113.7')
      restBytes ??= memoryOf(pid).residentBytes
      resetPeak(pid)
      const paused = await Promise.all(
        Array.from({ length: clients }, (_, index) =>
          pauseDownload(urls[index % urls.length] ?? '', addressOf(index)),
        ),
      )
      try {
        const startMs = performance.now()
        for (const url of urls) await assertServed(url, '203.0.113.7')
        const servedMs = performance.now() - startMs
        const { peakBytes } = memoryOf(pid)
        const [served, refused] = ['206', '503'].map((status) =>
          paused.filter(({ head }) => head.startsWith(`HTTP/1.1 ${status} `)),
        )
        const [rest, peak] = [restBytes, peakBytes].map((size) => Math.round(size / mebibyte))
        t.diagnostic(
          `memory ${rest} MiB, peak ${peak} MiB; ${served?.length} clients served, ${refused?.length} refused; ` +
            `another client after ${Math.round(servedMs)} ms`,
        )
        assert.ok(peakBytes - restBytes < maxGrowthBytes, `${rest} MiB, peak ${peak} MiB`)
        assert.ok(served !== undefined && served.length >= minServed, `${served?.length} served`)
        assert.equal(served.length + (refused?.length ?? 0), clients)
        for (const { head } of refused ?? []) assert.match(head, /\r\nretry-after: \d+/i)
      } finally {
        for (const { socket } of paused) socket.destroy()
      }
    })
})
