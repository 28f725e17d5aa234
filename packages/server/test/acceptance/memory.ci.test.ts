import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectOk } from './client.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { resetPeak, memoryOf } from './processes.ts'
import { hashOfContent, hashOfDownload, sendContent, uploadInParts } from './transfer.ts'
import { until } from './until.ts'

const mebibyte = 1024 * 1024
/** The number of bytes to transfer. The documented memory limit applies to 2048 MiB. */
const volumeBytes = Number(process.env['QUAYSIDE_MEMORY_MIB'] ?? 512) * mebibyte
const limitBytes = 250_000_000

let service: Service
let applicationId: string

before(async () => {
  service = await sharedService()
  applicationId = expectOk(await service.client.createApplication('Memory')).data.id
})

async function uploadWhole(seed: number, sizeBytes: number): Promise<string> {
  const primary_file = { filename: 'whole.bin', size_bytes: sizeBytes }
  const upload = expectOk(await service.client.request(applicationId, { primary_file }))
  const { url, headers } = upload.primary_file.presigned_data
  await sendContent(url, seed, 0, sizeBytes, headers)
  return expectOk(await service.client.verify(upload.pending_upload_id)).build_id
}

async function checkDownload(
  buildId: string,
  seed: number,
  sizeBytes: number,
  clients: number,
): Promise<void> {
  const { primary_file } = expectOk(await service.client.download(applicationId, buildId))
  const url = primary_file.temp_url
  const expected = hashOfContent(seed, 0, sizeBytes)
  await Promise.all(
    Array.from({ length: clients }, async () => assert.equal(await hashOfDownload(url), expected)),
  )
  const step = Math.ceil(sizeBytes / 8 / 16) * 16
  const ranges = Array.from({ length: 8 }, (_, n) => ({
    start: n * step,
    end: Math.min((n + 1) * step, sizeBytes) - 1,
  }))
  await Promise.all(
    ranges.map(async (range) =>
      assert.equal(
        await hashOfDownload(url, { range }),
        hashOfContent(seed, range.start, range.end - range.start + 1),
      ),
    ),
  )
}

test(
  `uses less than ${limitBytes / 1e6} MB of memory while several clients upload and download ${volumeBytes / mebibyte} MiB`,
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const pid = service.servicePid()
    assert.ok(pid !== undefined)
    const atRest = memoryOf(pid).residentBytes
    resetPeak(pid)
    const [half, quarter] = [volumeBytes / 2, volumeBytes / 4]
    const [first, second, parts] = await Promise.all([
      uploadWhole(1, quarter),
      uploadWhole(2, quarter),
      uploadInParts(service.client, applicationId, { seed: 3, sizeBytes: half, senders: 4 }),
    ])
    const uploadPeak = memoryOf(pid).peakBytes

    const { primary_file } = expectOk(await service.client.download(applicationId, first))
    const slowDownload = hashOfDownload(primary_file.temp_url, {
      range: { start: 0, end: 20 * mebibyte - 1 },
      pauseMs: 10,
    })
    await checkDownload(first, 1, quarter, 1)
    await checkDownload(second, 2, quarter, 3)
    await checkDownload(parts.build_id, 3, half, 1)
    assert.equal(await slowDownload, hashOfContent(1, 0, 20 * mebibyte))

    // The job that computes chunk indexes runs every minute.
    const chunks = `/applications/${applicationId}/builds/${parts.build_id}/files/${parts.build.primary_file.id}/chunks`
    const isIndexed = async () => (await service.client.call('GET', chunks)).status === 302
    await until('the largest file has a chunk index', isIndexed, { withinMs: 180_000, everyMs: 500 })

    const { peakBytes } = memoryOf(pid)
    const megabytes = [atRest, uploadPeak, peakBytes].map((bytes) => Math.round(bytes / 1e6))
    t.diagnostic(
      `at rest ${megabytes[0]} MB, at most ${megabytes[1]} MB during uploads and ${megabytes[2]} MB overall`,
    )
    assert.ok(peakBytes < limitBytes, `${megabytes[2]} MB`)
  },
)
