import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { expectOk } from './client.ts'
import { releaseService, sharedService, type Service } from './npm-start.ts'
import { bytesReadBy, until } from './processes.ts'
import { hashOfContent, uploadInParts } from './transfer.ts'

const mebibyte = 1024 * 1024
// The checksums of files larger than 512 MiB are computed by a background job.
const sizeBytes = 640 * mebibyte

let service: Service
let applicationId: string

before(async () => {
  service = await sharedService()
  applicationId = expectOk(await service.client.createApplication('Hashing')).data.id
})
after(releaseService)

test(
  'computes the checksum of a large build within a minute of the restart after the service is killed while hashing it',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const { build_id } = await uploadInParts(service.client, applicationId, {
      seed: 1,
      sizeBytes,
      senders: 2,
    })
    const readFile = async () =>
      expectOk(await service.client.build(applicationId, build_id)).data.primary_file
    const pid = service.servicePid()
    assert.ok(pid !== undefined)
    const readBefore = bytesReadBy(pid)
    await until('the job is hashing', () => bytesReadBy(pid) > readBefore + 32 * mebibyte, { everyMs: 5 })
    assert.equal((await readFile()).checksum_sha256, null)
    await service.kill('service')
    await service.start()
    const start = performance.now()
    const found = await until(
      'the checksum is known',
      async () => (await readFile()).checksum_sha256 ?? undefined,
      { withinMs: 60_000, everyMs: 200 },
    )
    t.diagnostic(`computed ${Math.round(performance.now() - start)} ms after the restart`)
    assert.equal(found, hashOfContent(1, 0, sizeBytes))
  },
)
