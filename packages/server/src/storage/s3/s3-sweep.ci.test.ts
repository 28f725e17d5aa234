import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { missingS3Server, sharedS3Server } from '../../../test/s3-server.ts'
import { confirmed, fileOf, put } from '../driver.suite.ts'
import type { StagedFile, StorageDriver } from '../driver.ts'
import { openS3Driver } from './s3-driver.fixture.ts'
import { listUploads } from './s3-objects.ts'

const partBytes = 5 * 1024 * 1024
const dayMs = 24 * 60 * 60 * 1000

describe('unused multipart uploads of sealed keys', { skip: missingS3Server }, () => {
  let release: () => Promise<void>
  before(async () => void ({ release } = await sharedS3Server()))
  after(() => release())

  /** Opens a multipart upload, sends parts and returns its ID. */
  async function open(driver: StorageDriver, file: StagedFile, parts: Buffer<ArrayBuffer>[]) {
    const multipartId = await driver.openMultipart(file)
    for (const [index, bytes] of parts.entries()) {
      const part = { multipartId, partNumber: index + 1, sizeBytes: bytes.length, expiresInSeconds: 60 }
      assert.equal((await put(await driver.signPart(file, part), bytes)).status, 200)
    }
    return multipartId
  }

  test('aborts used ones that are not those of the sealed file after a day', async (t) => {
    let now = new Date()
    let completed: { multipartId: string | null } | undefined
    const { driver, store } = await openS3Driver(t, {
      now: () => now,
      findCompletedUpload: async () => completed,
    })
    const parts = [randomBytes(partBytes), randomBytes(1000)]
    const file = fileOf(Buffer.concat(parts))
    const used = await open(driver, file, parts)
    const same = await open(driver, file, parts)
    const other = await open(driver, file, [randomBytes(1000)])
    const empty = await open(driver, file, [])
    const pending = await open(driver, fileOf(Buffer.concat(parts)), parts)
    const object = await driver.seal(file.key, used, await driver.listStaged(file.key, used))
    const left = async () => {
      const ids = []
      for await (const { uploadId } of listUploads(store.calls, store.layout.prefix)) ids.push(uploadId)
      return new Set(ids)
    }
    completed = { multipartId: used }
    await driver.sweep()
    assert.deepEqual(await left(), new Set([same, other, empty, pending]))
    now = new Date(Date.now() + dayMs + 60_000)
    completed = undefined
    await driver.sweep()
    assert.deepEqual(await left(), new Set([same, other, pending]))
    // As if the store had kept the completed upload in its list.
    completed = { multipartId: other }
    await driver.sweep()
    assert.deepEqual(await left(), new Set([same, other, pending]))
    completed = { multipartId: used }
    await driver.sweep()
    // One with the parts of the object may be the one that was completed.
    assert.deepEqual(await left(), new Set([same, pending]))
    assert.deepEqual(await driver.checksums(object), confirmed(Buffer.concat(parts)))
  })
})
