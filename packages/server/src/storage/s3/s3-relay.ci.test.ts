import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startS3Proxy } from '../../../test/s3-proxy.ts'
import { missingS3Server, sharedS3Server } from '../../../test/s3-server.ts'
import { fileOf, md5 } from '../driver.suite.ts'
import { openS3Driver } from './s3-driver.fixture.ts'
import { abortUpload } from './s3-objects.ts'

describe('relayed parts', { skip: missingS3Server }, () => {
  let release: () => Promise<void>
  before(async () => void ({ release } = await sharedS3Server()))
  after(() => release())

  async function* chunksOf(bytes: Buffer) {
    for (let offset = 0; offset < bytes.length; offset += 1000) yield bytes.subarray(offset, offset + 1000)
  }

  test('a part that was changed on the way to S3 is rejected and makes the upload incomplete', async (t) => {
    const { server } = await sharedS3Server()
    let changedParts = 0
    const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) =>
      method === 'PUT' && url.includes('partNumber=') && changedParts-- > 0 ? 'flip-request-bit' : undefined,
    )
    t.after(() => proxy.close())
    const { driver } = await openS3Driver(t, { endpoint: proxy.url })
    for (const sizeBytes of [1, 5000]) {
      const bytes = randomBytes(sizeBytes)
      const file = fileOf(bytes)
      const part = { multipartId: await driver.openMultipart(file), partNumber: 1, sizeBytes }
      changedParts = 1
      await assert.rejects(driver.storePart(file.key, part, chunksOf(bytes)), {
        kind: 'unavailable',
        code: 'storage.part_changed',
      })
      const [staged] = await driver.listStaged(file.key, part.multipartId)
      assert.notEqual(staged?.sizeBytes ?? 0, sizeBytes)
      assert.equal(await driver.storePart(file.key, part, chunksOf(bytes)), md5(bytes))
      const object = await driver.seal(
        file.key,
        part.multipartId,
        await driver.listStaged(file.key, part.multipartId),
      )
      assert.equal((await driver.checksums(object)).md5, md5(bytes))
    }
  })

  test('a part whose multipart upload the store has deleted is rejected differently than an aborted one', async (t) => {
    const { driver, store } = await openS3Driver(t)
    const bytes = randomBytes(5000)
    const file = fileOf(bytes)
    const multipartId = await driver.openMultipart(file)
    const send = () =>
      driver.storePart(file.key, { multipartId, partNumber: 1, sizeBytes: bytes.length }, chunksOf(bytes))
    await abortUpload(store.calls, store.layout.objects(file.key), multipartId)
    await assert.rejects(send, { kind: 'conflict', code: 'storage.parts_deleted' })
    await driver.discard(file.key, multipartId)
    await assert.rejects(send, { kind: 'conflict', code: 'storage.upload_gone' })
  })
})
