import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { s3Environment } from '../packages/server/test/acceptance/test-storage.ts'
import { startS3Server } from '../packages/server/test/s3-server.ts'
import { startSystemPostgres } from '../packages/server/test/system-postgres.ts'
import { createBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { limitMemory } from './memory-limit.ts'
import { createNumberedParts } from './numbered-parts.ts'
import { median, option, report, textOption } from './report.ts'
import { startService } from './service.ts'
import { createApplication, putArguments, requestUpload } from './uploads.ts'

// B6 compares an upload in parts, four at a time, with a single PUT of the same number of bytes. Parts are sent from files
// in the page cache, so that a file of 10 GiB need not exist. With --memory-mib, the service runs within a memory limit.
const rounds = option('rounds', 3)
const sizeMb = option('size-gib', 0) * 1024 || option('size-mb', 10_240)
const partMb = option('part-mb', 64)
const parallel = option('parts', 4)
const memoryMib = option('memory-mib', 0)
const storage = textOption('storage', 'local')
const database = textOption('database', 'embedded')
const mebibyte = 1024 * 1024

const s3 =
  storage === 's3' ? await startS3Server({ diskBytes: `${Math.ceil(sizeMb / 1024) + 5}G` }) : undefined
await s3?.ready
const postgres = database === 'server' ? await startSystemPostgres({ fsync: 'on' }) : undefined
const memory = memoryMib > 0 ? await limitMemory(memoryMib) : undefined
const settings = {
  QUAYSIDE_PART_SIZE_MB: String(partMb),
  ...(s3 && s3Environment(s3.server)),
  ...(postgres && { DATABASE_URL: postgres.url }),
}
const service = await startService(settings, undefined, memory)
const applicationId = await createApplication(service)
const source = await createNumberedParts({ partMb, senders: parallel })
const parts = Math.ceil(sizeMb / partMb)
const sizeBytes = parts * source.sizeBytes
const sha256 = source.sha256(parts)

type File = { checksum_sha256: string | null; checksum_error: string | null }

/** Uploads all parts and verifies the build. Returns the duration of each step, in seconds. */
async function uploadInParts(patch: number) {
  const { pending_upload_id } = await requestUpload(service, applicationId, sizeBytes, patch)
  let next = 1
  const send = async (_: unknown, sender: number) => {
    while (next <= parts) await sendPart(pending_upload_id, next++, sender)
  }
  const transfer = await seconds(() => Promise.all(Array.from({ length: parallel }, send)))
  let buildPath = ''
  const verify = await seconds(async () => {
    const verified = await service.api<{ build_id: string }>('POST', '/upload/verify', { pending_upload_id })
    buildPath = `/applications/${applicationId}/builds/${verified.build_id}`
  })
  const checksums = await seconds(() => untilHashed(buildPath))
  return { buildPath, transfer, verify, checksums }
}

async function sendPart(pending_upload_id: string, part_number: number, sender: number): Promise<void> {
  const path = await source.number(sender, part_number)
  const body = { pending_upload_id, part_number, content_length: source.sizeBytes }
  type Signed = { part_presigned_url: string }
  const { part_presigned_url: url } = await service.api<Signed>('POST', '/upload/request/multipart', body)
  await run('curl', putArguments(path, { url }))
}

/** Waits until the service has computed the checksums of the file. Throws if they are not those of the sent bytes. */
async function untilHashed(buildPath: string): Promise<void> {
  for (;;) {
    const { data } = await service.api<{ data: { primary_file: File } }>('GET', buildPath)
    const { checksum_sha256: found, checksum_error: error } = data.primary_file
    if (error !== null) throw new Error(error)
    if (found !== null && found !== sha256) throw new Error('The recorded checksum differs from the bytes.')
    if (found !== null) return
    await pause(100)
  }
}

/** Downloads the file of a build. Throws if its bytes differ from those that were sent. */
async function requireSameBytes(buildPath: string): Promise<void> {
  type Download = { primary_file: { temp_url: string } }
  const { primary_file } = await service.api<Download>('GET', `${buildPath}/download`)
  const hash = createHash('sha256')
  const { body } = await fetch(primary_file.temp_url)
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array)
  if (hash.digest('hex') !== sha256) throw new Error('The downloaded bytes differ from the uploaded bytes.')
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

const measured = {
  parts: [] as number[],
  verify: [] as number[],
  checksums: [] as number[],
  whole: [] as number[],
}
for (let round = 0; round < rounds; round++) {
  measured.whole.push(await uploadWhole(1000 + round))
  const { buildPath, transfer, verify, checksums } = await uploadInParts(round)
  measured.parts.push(sizeBytes / mebibyte / transfer)
  measured.verify.push(verify)
  measured.checksums.push(checksums)
  if (round === 0) await requireSameBytes(buildPath)
  // The disk must have room for the next round.
  await service.api('DELETE', buildPath)
}

const [ours, limit] = [median(measured.parts), median(measured.whole)]
const name = `${parts} parts of ${partMb} MiB, ${parallel} at a time`
const limited = await memory?.measure()
await report('B6', [{ name, ours, limit, limitName: 'single PUT', unit: 'MiB/s', goal: 0.9 }], {
  storage,
  database,
  'verify, median in seconds (goal 2)': median(measured.verify).toFixed(2),
  'from verify to checksums, median in seconds': median(measured.checksums).toFixed(1),
  'downloaded bytes': 'equal',
  'peak server memory, MB (goal 300)': await service.peakMemoryMb(),
  ...(limited && {
    'memory limit, MiB': memoryMib,
    'peak memory of all processes in the limit, MB': limited.processMb,
    'processes killed for lack of memory': limited.kills,
  }),
  measured,
})
await service.stop()
await Promise.all([memory?.remove(), source.remove(), postgres?.remove(), s3?.stop()])
