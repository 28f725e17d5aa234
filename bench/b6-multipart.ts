import { createBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { median, option, report } from './report.ts'
import { startService, type Service } from './service.ts'
import { createApplication, putArguments, requestUpload } from './uploads.ts'

// B6 compares an upload in parts, four at a time, with a single PUT of the same number of bytes. The parts are read from
// one file that is in the page cache, so that a file of 10 GiB need not exist.
const rounds = option('rounds', 3)
const sizeMb = option('size-mb', 10_240)
const partMb = option('part-mb', 64)
const parallel = option('parallel', 4)
const mebibyte = 1024 * 1024

const service = await startService({ QUAYSIDE_PART_SIZE_MB: String(partMb) })
const applicationId = await createApplication(service)
const part = await createBigFile(partMb)
const parts = Math.ceil(sizeMb / partMb)
const sizeBytes = parts * part.sizeBytes

/** Uploads all parts and verifies the build. Returns the duration of the transfer and of verify, in seconds. */
async function uploadInParts(patch: number) {
  const { pending_upload_id } = await requestUpload(service, applicationId, sizeBytes, patch)
  let next = 1
  const send = async () => {
    while (next <= parts) {
      const part_number = next++
      await sendPart(service, { pending_upload_id, part_number, content_length: part.sizeBytes })
    }
  }
  const transfer = await seconds(() => Promise.all(Array.from({ length: parallel }, send)))
  const verify = await seconds(async () => {
    const { build_id } = await service.api<{ build_id: string }>('POST', '/upload/verify', {
      pending_upload_id,
    })
    buildIds.push(build_id)
  })
  return { transfer, verify }
}

async function sendPart(target: Service, body: Record<string, unknown>): Promise<void> {
  type Signed = { part_presigned_url: string }
  const { part_presigned_url: url } = await target.api<Signed>('POST', '/upload/request/multipart', body)
  await run('curl', putArguments(part.path, { url }))
}

/** Sends the same number of bytes with single PUTs of at most 1 GiB, one after another. */
async function uploadWhole(patch: number): Promise<number> {
  const whole = await createBigFile(Math.min(sizeMb, 1024))
  const requested = await requestUpload(service, applicationId, whole.sizeBytes, patch)
  const { pending_upload_id, primary_file } = requested
  const time = await seconds(() => run('curl', putArguments(whole.path, primary_file.presigned_data)))
  await service.api('POST', '/upload/abort', { pending_upload_id })
  await whole.remove()
  return whole.sizeBytes / mebibyte / time
}

const buildIds: string[] = []
const measured = { parts: [] as number[], verify: [] as number[], whole: [] as number[] }
for (let round = 0; round < rounds; round++) {
  measured.whole.push(await uploadWhole(1000 + round))
  const { transfer, verify } = await uploadInParts(round)
  measured.parts.push(sizeBytes / mebibyte / transfer)
  measured.verify.push(verify)
  // The disk must have room for the next round.
  const build = buildIds.at(-1)
  await service.api('DELETE', `/applications/${applicationId}/builds/${build}`)
}

const [ours, limit] = [median(measured.parts), median(measured.whole)]
const name = `${parts} parts of ${partMb} MiB, ${parallel} at a time`
await report('B6', [{ name, ours, limit, limitName: 'single PUT', unit: 'MiB/s', goal: 0.9 }], {
  'verify, median in seconds (goal 2)': median(measured.verify).toFixed(2),
  'peak server memory, MB (goal 300)': await service.peakMemoryMb(),
  measured,
})
await Promise.all([service.stop(), part.remove()])
