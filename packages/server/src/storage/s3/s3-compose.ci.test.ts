import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { missingS3Server } from '../../../test/s3-server.ts'
import { fileOf, put, sha256 } from '../driver.suite.ts'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { createComposition } from '../objects/composition.ts'
import { planParts, readPieces } from './s3-compose.ts'
import { openS3Driver } from './s3-driver.fixture.ts'

const mebibyte = 1024 ** 2

test('plans parts of at least 5 MiB that contain the pieces in order', () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: 70_000 }),
    fc.integer({ min: 1, max: 60 * mebibyte }),
    fc.integer({ min: 1, max: 9e9 }),
  )
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 60 }), (sizes) => {
      const pieces = sizes.map((sizeBytes, index) => ({ name: `${index}`, etag: '', offset: 7, sizeBytes }))
      const parts = planParts(
        pieces,
        sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0),
      )
      const ranges = parts.map((part) => ('copied' in part ? [part.copied] : part.joined))
      assert.ok(parts.length <= 10_000)
      for (const [index, part] of ranges.entries()) {
        const bytes = part.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
        if (index < ranges.length - 1) assert.ok(bytes >= 5 * mebibyte, `${bytes} bytes`)
        assert.ok(bytes <= 1024 * mebibyte)
      }
      const joined: typeof pieces = []
      for (const range of ranges.flat()) {
        const last = joined.at(-1)
        if (last?.name === range.name && last.offset + last.sizeBytes === range.offset)
          last.sizeBytes += range.sizeBytes
        else joined.push({ ...range })
      }
      assert.deepEqual(joined, pieces)
    }),
    { numRuns: 300 },
  )
})

test('reads pieces in their order, and those that are near each other with one call', async () => {
  const objects = [randomBytes(mebibyte), randomBytes(mebibyte)]
  const piece = fc.record({
    index: fc.nat({ max: 1 }),
    offset: fc.nat({ max: mebibyte - 100_000 }),
    sizeBytes: fc.integer({ min: 1, max: 100_000 }),
  })
  const readAll = async (pieces: { index: number; offset: number; sizeBytes: number }[]) => {
    let calls = 0
    let readBytes = 0
    const named = pieces.map(({ index, ...range }) => ({ ...range, name: `${index}`, etag: '' }))
    const bytes = await readPieces(named, ({ name, offset, sizeBytes }) => {
      calls++
      readBytes += sizeBytes
      return Promise.resolve(objects[Number(name)]?.subarray(offset, offset + sizeBytes) ?? Buffer.alloc(0))
    })
    const expected = pieces.map(({ index, offset, sizeBytes }) =>
      objects[index]?.subarray(offset, offset + sizeBytes),
    )
    assert.ok(bytes.equals(Buffer.concat(expected.map((part) => part ?? Buffer.alloc(0)))))
    assert.ok(readBytes <= 2 * bytes.length, `read ${readBytes} for ${bytes.length}`)
    return calls
  }
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => void (await readAll(pieces))),
  )
  const alternating = Array.from({ length: 20 }, (_, index) => [
    { index: 0, offset: index * 30_000, sizeBytes: 20_000 },
    { index: 1, offset: index * 10_000, sizeBytes: 10_000 },
  ])
  assert.equal(await readAll(alternating.flat()), 2)
})

async function store(driver: StorageDriver, sizeBytes: number) {
  const bytes = randomBytes(sizeBytes)
  return { bytes, object: await driver.store(fileOf(bytes).key, bytes) }
}

async function readAll(driver: StorageDriver, object: SealedObject): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(driver.read(object)))
}

test('composes objects of ranges of others within the bucket', { skip: missingS3Server }, async (t) => {
  const { driver } = await openS3Driver(t)
  const [large, small] = [await store(driver, 26 * mebibyte), await store(driver, 300_000)]
  const sent = randomBytes(6 * mebibyte)
  const composition = createComposition()
  const expected: Buffer[] = []
  const add = ({ object, bytes }: typeof large, offset: number, size: number) => {
    composition.addStored(object, offset, size)
    expected.push(bytes.subarray(offset, offset + size))
  }
  let sentBytes = 0
  const addNew = (size: number) => {
    composition.addNew(size)
    expected.push(sent.subarray(sentBytes, sentBytes + size))
    sentBytes += size
  }
  add(large, 1000, 12 * mebibyte)
  addNew(10)
  for (let index = 0; index < 20; index++) add(small, index * 1000, 10_000)
  addNew(mebibyte)
  add(large, 13 * mebibyte, 13 * mebibyte)
  add(small, 0, 300_000)
  addNew(sent.length - sentBytes)
  const bytes = Buffer.concat(expected)
  const finished = composition.finish()

  const whole = fileOf(sent)
  const { url, headers } = await driver.signPut(whole, { expiresInSeconds: 600 })
  assert.equal((await put(url, Buffer.from(sent), headers)).status, 200)
  const parts = fileOf(sent)
  const multipartId = await driver.openMultipart(parts)
  for (const [index, part] of [sent.subarray(0, 5 * mebibyte), sent.subarray(5 * mebibyte)].entries()) {
    const signed = { multipartId, partNumber: index + 1, sizeBytes: part.length, expiresInSeconds: 600 }
    assert.equal((await put(await driver.signPart(parts, signed), Buffer.from(part))).status, 200)
  }
  for (const { key, uploadId } of [
    { key: whole.key, uploadId: '' },
    { key: parts.key, uploadId: multipartId },
  ]) {
    const chosen = await driver.listStaged(key, uploadId)
    assert.equal(await driver.checksumsOfStaged(key, uploadId, chosen, { composition: finished }), undefined)
    const object = await driver.seal(key, uploadId, chosen, finished)
    assert.equal(object.sizeBytes, bytes.length)
    assert.equal(object.ranges, undefined)
    const { sha256: found, isConfirmed } = await driver.checksums(object)
    assert.deepEqual([found, isConfirmed], [sha256(bytes), true])
    assert.equal(
      (await driver.seal(key, uploadId, chosen, finished)).segments[0]?.name,
      object.segments[0]?.name,
    )
    assert.equal(sha256(await readAll(driver, object)), sha256(bytes))
  }

  const reused = createComposition()
  reused.addStored(large.object, 0, large.bytes.length)
  const { key } = fileOf(sent)
  const copy = await driver.seal(key, '', [], reused.finish())
  assert.equal(sha256(await readAll(driver, copy)), sha256(large.bytes))

  await driver.remove(large.object)
  const missing = driver.seal(fileOf(sent).key, '', [], reused.finish())
  await assert.rejects(missing, { code: 'composition.store_failed' })
})
