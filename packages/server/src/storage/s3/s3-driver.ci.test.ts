import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startS3Proxy } from '../../../test/s3-proxy.ts'
import { missingS3Server, sharedS3Server } from '../../../test/s3-server.ts'
import { confirmed, describeDriver, fileOf, md5, put, uploadParts } from '../driver.suite.ts'
import type { StorageDriver } from '../driver.ts'
import { createS3Settings, openS3Driver } from './s3-driver.fixture.ts'
import { findObject, listObjects, listUploads } from './s3-objects.ts'

const skip = missingS3Server
const minPartBytes = 5 * 1024 * 1024
const expiresInSeconds = 60

if (skip === false) {
  let release: () => Promise<void>
  before(async () => void ({ release } = await sharedS3Server()))
  after(() => release())
}

describeDriver('S3 driver', (t) => openS3Driver(t), {
  skip,
  responses: { latePart: 404, lateWhole: 200, missingObject: 404 },
})

describe('objects in S3', { concurrency: 4, skip }, () => {
  async function putWhole(driver: StorageDriver, bytes: Buffer<ArrayBuffer>, key: string = randomUUID()) {
    const file = { ...fileOf(bytes), key }
    const { url, headers } = await driver.signPut(file, { expiresInSeconds })
    assert.equal((await put(url, bytes, headers)).status, 200)
    return { file, url, headers }
  }

  async function sealWhole(driver: StorageDriver, bytes: Buffer<ArrayBuffer>) {
    const { file } = await putWhole(driver, bytes)
    return driver.seal(file.key, '', await driver.listStaged(file.key, ''))
  }

  async function list<T>(items: AsyncIterable<T>): Promise<T[]> {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }

  test('returns the MD5 of the bytes and not the ETag of a multipart upload', async (t) => {
    const { driver } = await openS3Driver(t)
    const parts = [randomBytes(minPartBytes), randomBytes(100_000)]
    const whole = Buffer.concat(parts)
    const { object } = await uploadParts(driver, fileOf(whole), parts)
    assert.match(object.segments[0]?.name ?? '', /-2$/)
    assert.equal(object.md5, undefined)
    assert.deepEqual(await driver.checksums(object), confirmed(whole))
  })

  for (const [name, sizes] of [
    ['a single PUT', [300_000]],
    ['parts of different sizes', [minPartBytes, minPartBytes + 1, minPartBytes, 1000]],
  ] as const)
    test(`never returns checksums of changed bytes of an object from ${name}`, async (t) => {
      const { server } = await sharedS3Server()
      let changedReads = 0
      const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) =>
        method === 'GET' && url.includes('/objects/') && changedReads-- > 0 ? 'flip-bit' : undefined,
      )
      t.after(() => proxy.close())
      const { driver } = await openS3Driver(t, { endpoint: proxy.url })
      const parts = sizes.map((size) => randomBytes(size))
      const [first, ...others] = parts
      assert.ok(first)
      const object =
        others.length === 0
          ? await sealWhole(driver, first)
          : (await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)).object
      const whole = Buffer.concat(parts)
      changedReads = 2
      assert.deepEqual(await driver.checksums(object), confirmed(whole))
      changedReads = Infinity
      await assert.rejects(driver.checksums(object), { code: 'storage.read_mismatch', kind: 'unavailable' })
      changedReads = 0
      assert.deepEqual(await driver.checksums(object), confirmed(whole))
    })

  test('copies an object from another prefix of the same store, and not from another store', async (t) => {
    const [from, to] = [await openS3Driver(t), await openS3Driver(t)]
    const parts = [randomBytes(minPartBytes), randomBytes(1000)]
    const objects = [
      await sealWhole(from.driver, randomBytes(1000)),
      (await uploadParts(from.driver, fileOf(Buffer.concat(parts)), parts)).object,
    ]
    for (const object of objects) {
      const copy = await to.driver.copyFrom(from.settings, object)
      assert.ok(copy)
      assert.deepEqual(await to.driver.checksums(copy), await from.driver.checksums(object))
    }
    const [object] = objects as [(typeof objects)[number]]
    const elsewhere = { ...from.settings, endpoint: 'http://127.0.0.1:9' }
    assert.equal(await to.driver.copyFrom(elsewhere, object), undefined)
    assert.equal(await to.driver.copyFrom({ ...from.settings, bucket: 'no-such-bucket' }, object), undefined)
  })

  test('reports a sealed object that was overwritten or deleted as damaged or missing', async (t) => {
    const { driver, store } = await openS3Driver(t)
    const object = await sealWhole(driver, randomBytes(1000))
    const other = await sealWhole(driver, randomBytes(1000))
    const manifest = { ...object, key: other.key }
    await assert.rejects(driver.checksums(manifest), { code: 'storage.file_damaged', key: other.key })
    await driver.remove(object)
    await assert.rejects(driver.checksums(object), { code: 'storage.file_missing', key: object.key })
    assert.equal(await findObject(store.calls, store.layout.objects(object.key)), undefined)
  })

  test('seals the attempt with the chosen ETag or nothing when a later PUT replaces it', async (t) => {
    const { driver } = await openS3Driver(t)
    const { file } = await putWhole(driver, randomBytes(1000))
    const first = await driver.listStaged(file.key, '')
    await putWhole(driver, randomBytes(1000), file.key)
    await assert.rejects(driver.seal(file.key, '', first), { code: 'storage.part_missing' })
    const second = await driver.listStaged(file.key, '')
    const object = await driver.seal(file.key, '', second)
    assert.equal(object.md5, second[0]?.etag)
    await assert.rejects(driver.seal(file.key, '', first), { code: 'storage.already_sealed' })
  })

  test('rejects parts that are too small for S3 and keeps the upload open', async (t) => {
    const { driver } = await openS3Driver(t)
    const parts = [randomBytes(1), randomBytes(1000)]
    await assert.rejects(uploadParts(driver, fileOf(Buffer.concat(parts)), parts), {
      code: 'storage.part_too_small',
    })
  })

  test('deletes bytes that arrive after an upload was discarded or sealed', async (t) => {
    let now = new Date()
    const { driver, store } = await openS3Driver(t, { now: () => now })
    const { calls, layout } = store
    const bytes = randomBytes(1000)
    const discarded = await putWhole(driver, bytes)
    await driver.discard(discarded.file.key, '')
    const sealed = await sealWhole(driver, bytes)
    for (const key of [discarded.file.key, sealed.key]) await putWhole(driver, bytes, key)
    const staged = () => list(listObjects(calls, `${layout.prefix}staging/`))
    assert.equal((await staged()).length, 2)
    now = new Date(Date.now() + 2 * 60 * 60 * 1000)
    await driver.sweep()
    assert.deepEqual(await staged(), [])
    assert.ok(await findObject(calls, layout.discarded(discarded.file.key)))
    now = new Date(Date.now() + 31 * 60 * 60 * 1000)
    await driver.sweep()
    assert.equal(await findObject(calls, layout.discarded(discarded.file.key)), undefined)
    assert.equal((await driver.checksums(sealed)).md5, md5(bytes))
  })

  test('rejects parts and leaves no multipart upload after an upload was discarded', async (t) => {
    const { driver, store } = await openS3Driver(t)
    const bytes = randomBytes(1000)
    const file = fileOf(bytes)
    const multipartId = await driver.openMultipart(file)
    await driver.openMultipart(file)
    const part = { multipartId, partNumber: 1, sizeBytes: bytes.length, expiresInSeconds }
    const url = await driver.signPart(file, part)
    assert.equal((await put(url, bytes)).status, 200)
    await driver.discard(file.key, multipartId)
    assert.equal((await put(url, bytes)).status, 404)
    assert.deepEqual(await list(listUploads(store.calls, store.layout.prefix)), [])
  })

  test('restores a quarantined object with the same bytes and deletes it for good', async (t) => {
    const { driver } = await openS3Driver(t)
    const parts = [randomBytes(minPartBytes), randomBytes(10)]
    const { object } = await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)
    const staged = await putWhole(driver, randomBytes(10))
    const unchangedSince = new Date(Date.now() + 60_000)
    const keys = await list(driver.listKeys({ unchangedSince }))
    assert.equal(keys.length, 2)
    const at = new Date('2026-02-03T04:05:06Z')
    for (const found of keys) await driver.quarantine(found, at)
    assert.deepEqual(await list(driver.listKeys({ unchangedSince })), [])
    const quarantined = await list(driver.listQuarantined())
    assert.deepEqual(
      new Set(quarantined.map(({ key, state }) => `${state} ${key}`)),
      new Set([`sealed ${object.key}`, `staged ${staged.file.key}`]),
    )
    for (const found of quarantined) {
      assert.deepEqual(found.quarantinedAt, at)
      await driver.restore(found)
    }
    assert.equal((await driver.checksums(object)).md5, md5(Buffer.concat(parts)))
    assert.deepEqual(await list(driver.listQuarantined()), [])
    for (const found of keys) await driver.quarantine(found, at)
    for await (const found of driver.listQuarantined()) await driver.deleteQuarantined(found)
    await assert.rejects(driver.checksums(object), { code: 'storage.file_missing' })
    assert.deepEqual(await driver.listStaged(staged.file.key, ''), [])
    assert.deepEqual(await list(driver.listKeys({ unchangedSince })), [])
  })

  test('signs downloads as attachments with a safe content type', async (t) => {
    const { driver } = await openS3Driver(t)
    const object = await sealWhole(driver, randomBytes(100))
    const url = await driver.signGet(object, {
      filename: 'größe "1".html',
      contentType: 'text/html',
      expiresInSeconds,
    })
    const { headers } = await fetch(url)
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="gr__e _1_\.html"; filename\*=/,
    )
    const expired = url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=99999')
    assert.equal((await fetch(expired)).status, 403)
  })

  test('throws a Problem that hides the cause when the store rejects the credentials', async (t) => {
    const { credentials } = await createS3Settings()
    assert.ok(credentials)
    const { driver } = await openS3Driver(t, { credentials: { ...credentials, secretAccessKey: 'wrong' } })
    const calls = [
      () => driver.check(),
      () => driver.listStaged(randomUUID(), ''),
      () => driver.identity.findId(),
    ]
    for (const call of calls)
      await assert.rejects(call, { name: 'Problem', kind: 'unavailable', code: 'storage.unavailable' })
  })

  test('continues to read an object after the connection was interrupted', async (t) => {
    const { server } = await sharedS3Server()
    const proxy = await startS3Proxy(server.endpoint)
    t.after(() => proxy.close())
    const { driver } = await openS3Driver(t, { endpoint: proxy.url })
    const bytes = randomBytes(8_000_000)
    const object = await driver.store(randomUUID(), bytes)
    const chunks: Uint8Array[] = []
    let read = 0
    let interruptions = 0
    for await (const chunk of driver.read(object)) {
      chunks.push(chunk)
      read += chunk.length
      if (read > (interruptions + 1) * 2_000_000 && interruptions < 2) {
        interruptions++
        proxy.heal()
      }
    }
    assert.equal(interruptions, 2)
    assert.equal(md5(Buffer.concat(chunks)), md5(bytes))
  })
})
