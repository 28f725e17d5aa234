import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { confirmed, fileOf, sha256, uploadParts } from '../driver.suite.ts'
import type { SealedObject, StagedPart, StorageDriver } from '../driver.ts'
import { openLocalDriver } from '../local/local-driver.fixture.ts'
import { createComposition, newBytes, type Composition } from './composition.ts'

/** A range of one of the files that exist already, or new bytes. Numbers select among them modulo their count. */
const piece = fc.record({
  source: fc.option(fc.nat(20), { freq: 4 }),
  offset: fc.nat(100_000),
  size: fc.integer({ min: 1, max: 40_000 }),
})
const versions = fc.array(
  fc.record({
    pieces: fc.array(piece, { minLength: 1, maxLength: 30 }),
    partBytes: fc.integer({ min: 5_000, max: 60_000 }),
  }),
  { minLength: 1, maxLength: 8 },
)

type Stored = { object: SealedObject; bytes: Buffer }

test('restores files that are composed of ranges of others byte for byte', async (t) => {
  const { driver, commit } = await openLocalDriver(t)
  await fc.assert(
    fc.asyncProperty(versions, fc.nat(), fc.nat(), async (planned, from, length) => {
      const stored: Stored[] = [await storePlain(driver, 30_000), await storePlain(driver, 1)]
      for (const { pieces, partBytes } of planned) {
        const composition = createComposition()
        const expected: Buffer[] = []
        const sent: Buffer[] = []
        for (const { source, offset, size } of pieces) {
          const file = source === null ? undefined : stored[source % stored.length]
          if (file === undefined) {
            composition.addNew(size)
            sent.push(randomBytes(size))
            expected.push(sent.at(-1) as Buffer)
          } else {
            const start = offset % file.bytes.length
            const end = Math.min(start + size, file.bytes.length)
            composition.addStored(file.object, start, end - start)
            expected.push(file.bytes.subarray(start, end))
          }
        }
        const bytes = Buffer.concat(expected)
        const finished = composition.finish()
        const composed = await compose(driver, Buffer.concat(sent), { partBytes, composition: finished })
        assert.equal(composed.checksums?.sha256, sha256(bytes))
        const { object } = composed
        assert.equal(object.sizeBytes, bytes.length)
        for (const segment of object.segments)
          if (segment.key !== undefined) assert.ok(stored.some(({ object: { key } }) => key === segment.key))
        commit(object)
        stored.push({ object, bytes })
      }
      for (const { object, bytes } of stored) {
        await driver.requireComplete(object)
        assertBytes(await readAll(driver, object), bytes)
        assert.deepEqual({ ...(await driver.checksums(object)), isConfirmed: true }, confirmed(bytes))
        const start = from % bytes.length
        const end = Math.min(start + (length % 100_000), bytes.length - 1)
        assertBytes(await readAll(driver, object, { start, end }), bytes.subarray(start, end + 1))
      }
      // The ranges of the last file refer to files that received bytes, whatever composed files they were taken from.
      const last = stored.at(-1)?.object
      for (const segment of last?.segments ?? [])
        assert.ok(
          stored.some(({ object }) =>
            object.segments.some(({ name, key }) => name === segment.name && key === undefined),
          ),
        )
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

test('serves a composed file with an ETag of its own, and keeps its sources when it is pruned and removed', async (t) => {
  const { driver, commit } = await openLocalDriver(t)
  const source = await storePlain(driver, 200_000)
  const composition = createComposition()
  composition.addStored(source.object, 50_000, 100_000)
  composition.addNew(10)
  composition.addStored(source.object, 0, 100_000)
  const sent = randomBytes(10)
  const { object } = await compose(driver, sent, { partBytes: 10, composition: composition.finish() })
  const bytes = Buffer.concat([
    source.bytes.subarray(50_000, 150_000),
    sent,
    source.bytes.subarray(0, 100_000),
  ])
  commit(object)
  commit(source.object)
  const options = { filename: 'a.bin', contentType: 'text/plain', expiresInSeconds: 60 }
  const [response, sourceResponse] = await Promise.all(
    [object, source.object].map(async (stored) => {
      const got = await fetch(await driver.signGet(stored, options))
      return { etag: got.headers.get('etag'), bytes: Buffer.from(await got.arrayBuffer()) }
    }),
  )
  assert.notEqual(response?.etag, sourceResponse?.etag)
  assertBytes(response?.bytes, bytes)
  await driver.prune(object)
  assertBytes(await readAll(driver, object), bytes)
  await driver.remove(object)
  assertBytes(await readAll(driver, source.object), source.bytes)
  await assert.rejects(readAll(driver, object), { code: 'storage.file_missing' })
})

test('seals a file without new bytes, which accepts no PUT', async (t) => {
  const { driver } = await openLocalDriver(t)
  const source = await storePlain(driver, 100_000)
  const composition = createComposition()
  composition.addStored(source.object, 0, 100_000)
  const file = { ...fileOf(source.bytes), sizeBytes: 100_000 }
  const { url, headers } = await driver.signPut(file, { expiresInSeconds: 60 })
  const object = await driver.seal(file.key, '', [], composition.finish())
  const { key } = source.object
  assert.deepEqual(
    object.segments,
    source.object.segments.map((segment) => ({ key, ...segment })),
  )
  assert.equal(object.ranges, undefined)
  assert.deepEqual(await driver.seal(file.key, '', [], composition.finish()), object)
  assertBytes(await readAll(driver, object), source.bytes)
  assert.equal((await fetch(url, { method: 'PUT', headers, body: Buffer.from(source.bytes) })).status, 409)
  await driver.remove(object)
  assert.equal(await driver.findSealed(file.key), undefined)
})

/** Compares checksums, because the message of a failed comparison of bytes takes minutes. */
const assertBytes = (actual: Uint8Array | undefined, expected: Uint8Array): void =>
  assert.equal(actual && sha256(actual), sha256(expected))

async function storePlain(driver: StorageDriver, sizeBytes: number): Promise<Stored> {
  const bytes = randomBytes(sizeBytes)
  const parts = [bytes.subarray(0, sizeBytes / 2), bytes.subarray(sizeBytes / 2)].filter(
    ({ length }) => length > 0,
  )
  const { object } = await uploadParts(
    driver,
    fileOf(bytes),
    parts.map((part) => Buffer.from(part)),
  )
  return { object, bytes }
}

/** Uploads the new bytes in parts, and returns the composed object with the checksums that precede its seal. */
async function compose(
  driver: StorageDriver,
  sent: Buffer,
  { partBytes, composition }: { partBytes: number; composition: Composition },
) {
  const file = fileOf(sent)
  for (let start = 0, partNumber = 1; start < sent.length; start += partBytes, partNumber++) {
    const part = Buffer.from(sent.subarray(start, start + partBytes))
    const url = await driver.signPart(file, {
      multipartId: '',
      partNumber,
      sizeBytes: part.length,
      expiresInSeconds: 60,
    })
    assert.equal((await fetch(url, { method: 'PUT', body: part })).status, 200)
  }
  const chosen: StagedPart[] = await driver.listStaged(file.key, '')
  assert.equal(
    composition.ranges.some(([segment]) => segment === newBytes),
    sent.length > 0,
  )
  const checksums = await driver.checksumsOfStaged(file.key, '', chosen, { composition })
  return { checksums, object: await driver.seal(file.key, '', chosen, composition) }
}

async function readAll(driver: StorageDriver, object: SealedObject, range?: { start: number; end: number }) {
  const chunks: Uint8Array[] = []
  for await (const chunk of driver.read(object, range)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
