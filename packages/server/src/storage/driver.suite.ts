import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import type { SealedObject, StagedFile, StorageDriver } from './driver.ts'

export type DriverUnderTest = {
  driver: StorageDriver
  /** Registers the manifest that downloads of the object require, which is in the database in production. */
  commit: (object: SealedObject) => void
}

/** The statuses of responses that are not the same for every store; see docs/decisions/0037. */
export type StoreResponses = {
  /** A PUT of a part after the upload was sealed. */
  latePart: number
  /** A PUT of a whole file after the upload was sealed. */
  lateWhole: number
  /** A download of an object whose bytes are missing. */
  missingObject: number
}

const mebibyte = 1024 * 1024
const expiresInSeconds = 60
const localResponses: StoreResponses = { latePart: 409, lateWhole: 409, missingObject: 503 }
const downloadOptions = { filename: 'a.bin', contentType: 'text/plain', expiresInSeconds }

/** Declares the tests that every driver must pass over real HTTP. Calls `open` once for each test. */
export function describeDriver(
  name: string,
  open: (t: { after(work: () => Promise<void>): void }) => Promise<DriverUnderTest>,
  { responses = localResponses, skip = false }: { responses?: StoreResponses; skip?: string | false } = {},
) {
  describe(name, { concurrency: 4, skip }, () => {
    test('stores a file from a single PUT, returns its MD5 as the ETag and serves the same bytes', async (t) => {
      const { driver, commit } = await open(t)
      const bytes = randomBytes(3 * mebibyte + 17)
      const { file, headers, response } = await uploadWhole(driver, bytes)
      assert.deepEqual(Object.keys(headers).toSorted(), [
        'Content-Disposition',
        'Content-Length',
        'Content-Type',
        'x-amz-acl',
      ])
      assert.equal(headers['x-amz-acl'], 'private')
      assert.equal(headers['Content-Length'], String(bytes.length))
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('etag'), `"${md5(bytes)}"`)
      assert.equal(await response.text(), '')

      const staged = await driver.listStaged(file.key, '')
      assert.deepEqual(
        staged.map(({ partNumber, etag, sizeBytes }) => ({ partNumber, etag, sizeBytes })),
        [{ partNumber: 0, etag: md5(bytes), sizeBytes: bytes.length }],
      )
      const object = await driver.seal(file.key, '', staged)
      commit(object)
      assert.equal(object.sizeBytes, bytes.length)
      if (object.md5 !== undefined) assert.equal(object.md5, md5(bytes))
      if (object.sha256 !== undefined) assert.equal(object.sha256, sha256(bytes))
      assert.deepEqual(await collect(driver.read(object)), bytes)
      const download = await fetch(await driver.signGet(object, downloadOptions))
      assert.equal(download.status, 200)
      assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes)
    })

    test('joins parts by part number when they are sent concurrently and out of order', async (t) => {
      const { driver, commit } = await open(t)
      const parts = [5 * mebibyte, 5 * mebibyte, 5 * mebibyte + 1, 77].map((size) => randomBytes(size))
      const whole = Buffer.concat(parts)
      const { object } = await uploadParts(driver, fileOf(whole), parts)
      commit(object)
      assert.deepEqual(await collect(driver.read(object)), whole)
      for (const [start, end] of [
        [0, 0],
        [5 * mebibyte - 3, 5 * mebibyte + 3],
        [12, whole.length - 1],
        [whole.length - 80, whole.length - 1],
      ] as const) {
        assert.deepEqual(await collect(driver.read(object, { start, end })), whole.subarray(start, end + 1))
        const url = await driver.signGet(object, downloadOptions)
        const response = await fetch(url, { headers: { range: `bytes=${start}-${end}` } })
        assert.equal(response.status, 206)
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${whole.length}`)
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole.subarray(start, end + 1))
      }
    })

    test('seals the chosen attempt when a part is sent twice with different bytes', async (t) => {
      const { driver } = await open(t)
      const [first, second] = [randomBytes(mebibyte), randomBytes(mebibyte)]
      const file = fileOf(first)
      const multipartId = await driver.openMultipart(file)
      for (const bytes of [first, second]) {
        const part = { multipartId, partNumber: 1, sizeBytes: bytes.length, expiresInSeconds }
        assert.equal((await put(await driver.signPart(file, part), bytes)).status, 200)
      }
      const staged = await driver.listStaged(file.key, multipartId)
      const chosen = staged.find(({ etag }) => etag === md5(second))
      assert.ok(chosen)
      const object = await driver.seal(file.key, multipartId, [chosen])
      await driver.prune(object)
      assert.deepEqual(await collect(driver.read(object)), second)
    })

    test('leaves the sealed bytes unchanged when an earlier URL is used after sealing', async (t) => {
      const { driver } = await open(t)
      const parts = [randomBytes(5 * mebibyte), randomBytes(1000)]
      const file = fileOf(Buffer.concat(parts))
      const single = await driver.signPut(file, { expiresInSeconds })
      const { object, urls, multipartId } = await uploadParts(driver, file, parts)
      for (const [index, url] of urls.entries()) {
        for (const body of [parts[index] ?? '', randomBytes(parts[index]?.length ?? 0)])
          assert.equal((await put(url, body)).status, responses.latePart)
      }
      const late = await put(single.url, randomBytes(file.sizeBytes), single.headers)
      assert.equal(late.status, responses.lateWhole)
      assert.deepEqual(await collect(driver.read(object)), Buffer.concat(parts))
      await driver.discard(file.key, multipartId)
      assert.deepEqual(await collect(driver.read(object)), Buffer.concat(parts))
    })

    test('reports a sealed object as complete until its bytes are deleted', async (t) => {
      const { driver } = await open(t)
      const object = await driver.store(randomUUID(), randomBytes(1000))
      await driver.requireComplete(object)
      await driver.remove(object)
      await assert.rejects(driver.requireComplete(object), { code: 'storage.file_missing' })
    })

    test('returns the same object from repeated and concurrent calls to seal', async (t) => {
      const { driver } = await open(t)
      const { file } = await uploadWhole(driver, randomBytes(1000))
      const chosen = await driver.listStaged(file.key, '')
      const sealed = await Promise.all(Array.from({ length: 20 }, () => driver.seal(file.key, '', chosen)))
      const again = await driver.seal(file.key, '', chosen)
      for (const object of sealed) assert.deepEqual(object, again)
    })

    test('throws storage.part_missing and seals nothing when a part has not been stored', async (t) => {
      const { driver } = await open(t)
      const bytes = randomBytes(100)
      const file = fileOf(bytes)
      const { url, headers } = await driver.signPut(file, { expiresInSeconds })
      const absent = {
        partNumber: 1,
        etag: 'f'.repeat(32),
        sizeBytes: 1,
        storedAt: new Date(),
        name: 'absent',
      }
      await assert.rejects(driver.seal(file.key, '', [absent]), { code: 'storage.part_missing' })
      await put(url, bytes, headers)
      const staged = await driver.listStaged(file.key, '')
      await assert.rejects(driver.seal(file.key, '', [...staged, absent]), { code: 'storage.part_missing' })
      await assert.rejects(driver.seal(file.key, '', []), { code: 'storage.part_missing' })
      assert.equal((await put(url, bytes, headers)).status, 200)
    })

    test('discards every staged attempt and lists none for an unknown key', async (t) => {
      const { driver } = await open(t)
      const { file } = await uploadWhole(driver, randomBytes(100))
      await driver.discard(file.key, '')
      await driver.discard(file.key, '')
      assert.deepEqual(await driver.listStaged(file.key, ''), [])
      assert.deepEqual(await driver.listStaged(randomUUID(), ''), [])
    })

    test('seals bytes stored from memory and returns them unchanged', async (t) => {
      const { driver, commit } = await open(t)
      for (const bytes of [randomBytes(1), randomBytes(mebibyte + 3)]) {
        const key = randomUUID()
        const object = await driver.store(key, bytes)
        commit(object)
        assert.deepEqual([object.key, object.sizeBytes], [key, bytes.length])
        assert.deepEqual(await collect(driver.read(object)), bytes)
        const url = await driver.signGet(object, downloadOptions)
        assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), bytes)
        await assert.rejects(driver.store(key, bytes), { code: 'storage.already_sealed' })
        assert.equal((await uploadWhole(driver, bytes, key)).response.status, responses.lateWhole)
        assert.deepEqual(await collect(driver.read(object)), bytes)
      }
    })

    test('seals streamed content and rejects a stream of another size', async (t) => {
      const { driver, commit } = await open(t)
      const bytes = randomBytes(mebibyte + 3)
      const streamed = (sizeBytes: number) => ({
        sizeBytes,
        chunks: Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]),
      })
      const object = await driver.store(randomUUID(), streamed(bytes.length))
      commit(object)
      assert.deepEqual(await collect(driver.read(object)), bytes)
      assert.deepEqual([object.sizeBytes, object.sha256?.length], [bytes.length, 64])
      await assert.rejects(driver.store(randomUUID(), streamed(bytes.length - 1)))
    })

    test('removes sealed bytes idempotently and then rejects reads and downloads', async (t) => {
      const { driver, commit } = await open(t)
      const parts = [randomBytes(5 * mebibyte), randomBytes(10)]
      const { object } = await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)
      commit(object)
      await driver.remove(object)
      await driver.remove(object)
      await assert.rejects(collect(driver.read(object)), { name: 'Problem' })
      // The manifest still exists, so local storage responds with 503 for missing bytes, not 404.
      const download = await fetch(await driver.signGet(object, downloadOptions))
      assert.equal(download.status, responses.missingObject)
    })

    test('lists only keys unchanged since the given time and includes their states', async (t) => {
      const { driver } = await open(t)
      const { file: staged } = await uploadWhole(driver, randomBytes(10))
      const { object } = await uploadParts(driver, fileOf(Buffer.alloc(10)), [Buffer.alloc(10)])
      const inAnHour = new Date(Date.now() + 3_600_000)
      const anHourAgo = new Date(Date.now() - 3_600_000)
      const keys = await Array.fromAsync(driver.listKeys({ unchangedSince: inAnHour }))
      assert.deepEqual(
        keys.toSorted((a, b) => (a.state < b.state ? -1 : 1)),
        [
          { key: object.key, state: 'sealed' },
          { key: staged.key, state: 'staged' },
        ],
      )
      assert.deepEqual(await Array.fromAsync(driver.listKeys({ unchangedSince: anHourAgo })), [])
    })

    test('rejects a body that is shorter or longer than the signed size and stores none of it', async (t) => {
      const { driver } = await open(t)
      const file = fileOf(randomBytes(1000))
      const { url, headers } = await driver.signPut(file, { expiresInSeconds })
      for (const size of [999, 1001, 0]) {
        const contentType = { 'content-type': headers['Content-Type'] ?? '' }
        const { status } = await put(url, randomBytes(size), contentType)
        assert.ok(status >= 400 && status < 500, `${size} bytes got ${status}`)
      }
      assert.deepEqual(await driver.listStaged(file.key, ''), [])
    })

    test('passes the check when the store is reachable', async (t) => {
      const { driver } = await open(t)
      await driver.check()
    })
  })
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const allDigests = (bytes: Uint8Array) => ({
  md5: md5(bytes),
  sha256: sha256(bytes),
  sha1: createHash('sha1').update(bytes).digest('hex'),
  sha512: createHash('sha512').update(bytes).digest('hex'),
})

export const confirmed = (bytes: Uint8Array) => ({ ...allDigests(bytes), isConfirmed: true })
export const fileOf = (bytes: Uint8Array): StagedFile => ({
  key: randomUUID(),
  sizeBytes: bytes.length,
  filename: 'app.apk',
  contentType: 'application/vnd.android.package-archive',
})

export const put = (
  url: string,
  body: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(url, { method: 'PUT', body, headers })

/** Uploads a whole file with one PUT to a signed URL. */
async function uploadWhole(driver: StorageDriver, bytes: Buffer<ArrayBuffer>, key: string = randomUUID()) {
  const file = { ...fileOf(bytes), key }
  const { url, headers } = await driver.signPut(file, { expiresInSeconds })
  return { file, headers, response: await put(url, bytes, headers) }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

/** Sends all parts concurrently, starting with the last, and seals them in order. */
export async function uploadParts(driver: StorageDriver, file: StagedFile, parts: Buffer<ArrayBuffer>[]) {
  const multipartId = await driver.openMultipart(file)
  const urls = await Promise.all(
    parts.map(({ length: sizeBytes }, index) =>
      driver.signPart(file, { multipartId, partNumber: index + 1, sizeBytes, expiresInSeconds }),
    ),
  )
  const responses = await Promise.all(urls.map((url, index) => put(url, parts[index] ?? '')).toReversed())
  for (const { status } of responses) assert.equal(status, 200)
  const staged = await driver.listStaged(file.key, multipartId)
  assert.deepEqual(
    staged.map(({ etag }) => etag),
    parts.map(md5),
  )
  return { object: await driver.seal(file.key, multipartId, staged), urls, multipartId }
}
