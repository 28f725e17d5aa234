import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectOk } from './client.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { bytesReadBy } from './processes.ts'
import { hashOfContent, uploadInParts } from './transfer.ts'
import { until } from './until.ts'

const mebibyte = 1024 * 1024
// The checksums of files larger than 512 MiB are computed by a background job.
const sizeBytes = 640 * mebibyte

let service: Service
let applicationId: string

before(async () => {
  service = await sharedService()
  applicationId = expectOk(await service.client.createApplication('Hashing')).data.id
})

test(
  'computes the checksum of a large build within a minute of the restart after the service is killed while hashing it',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const findChecksum = async (id: string) =>
      expectOk(await service.client.build(applicationId, id)).data.primary_file.checksum_sha256
    const pid = service.servicePid()
    assert.ok(pid !== undefined)

    /** Uploads a build and waits until the job reads its bytes. Returns its ID if the checksum is not known yet. */
    async function uploadUntilHashing(): Promise<string | undefined> {
      const { build_id: id } = await uploadInParts(service.client, applicationId, {
        seed: 1,
        sizeBytes,
        senders: 2,
      })
      const readBefore = bytesReadBy(pid ?? 0)
      const isHashing = async () =>
        bytesReadBy(pid ?? 0) > readBefore + 32 * mebibyte || (await findChecksum(id)) !== null
      await until('the job is hashing', isHashing, { everyMs: 5 })
      return (await findChecksum(id)) === null ? id : undefined
    }

    let buildId = await uploadUntilHashing()
    // If this process was stalled while the job ran, another build is interrupted.
    while (buildId === undefined) buildId = await uploadUntilHashing()
    const hashedId = buildId
    await service.kill('service')
    await service.start()
    const start = performance.now()
    const found = await until(
      'the checksum is known',
      async () => (await findChecksum(hashedId)) ?? undefined,
      { withinMs: 60_000, everyMs: 200 },
    )
    t.diagnostic(`computed ${Math.round(performance.now() - start)} ms after the restart`)
    assert.equal(found, hashOfContent(1, 0, sizeBytes))
  },
)
