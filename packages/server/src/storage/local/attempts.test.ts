import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileOf, md5, put } from '../driver.suite.ts'
import { openLocalDriver } from './local-driver.fixture.ts'

const expiresInSeconds = 60

describe('part upload attempts', { concurrency: 4 }, () => {
  test('keeps four intact attempts when 12 concurrent PUTs send the same part', async (t) => {
    const { driver } = await openLocalDriver(t)
    const attempts = Array.from({ length: 12 }, () => randomBytes(1_500_000))
    const file = fileOf(attempts[0] ?? Buffer.alloc(0))
    const part = { multipartId: '', partNumber: 1, sizeBytes: 1_500_000, expiresInSeconds }
    const responses = await Promise.all(
      attempts.map(async (bytes) => put(await driver.signPart(file, part), bytes)),
    )
    assert.deepEqual(
      responses.map(({ headers }) => headers.get('etag')),
      attempts.map((bytes) => `"${md5(bytes)}"`),
    )
    const staged = await driver.listStaged(file.key, '')
    assert.equal(staged.length, 4)
    assert.ok(staged.every(({ etag }) => attempts.map(md5).includes(etag)))
    const chosen = staged[1]
    assert.ok(chosen)
    const object = await driver.seal(file.key, '', [chosen])
    await driver.prune(object)
    assert.equal((await driver.listStaged(file.key, '')).length, 1)
    const chunks: Uint8Array[] = []
    for await (const chunk of driver.read(object)) chunks.push(chunk)
    assert.equal(md5(Buffer.concat(chunks)), chosen.etag)
  })

  test('keeps only the four newest attempts to upload a part, even after a restart', async (t) => {
    const first = await openLocalDriver(t)
    const attempts = Array.from({ length: 7 }, () => randomBytes(1000))
    const file = fileOf(Buffer.alloc(2000))
    const send = async ({ driver }: typeof first, partNumber: number, bytes: Buffer<ArrayBuffer>) => {
      const part = { multipartId: '', partNumber, sizeBytes: 1000, expiresInSeconds }
      assert.equal((await put(await driver.signPart(file, part), bytes)).status, 200)
    }
    await send(first, 2, attempts[0] ?? Buffer.alloc(0))
    for (const bytes of attempts.slice(0, 3)) await send(first, 1, bytes)
    const second = await openLocalDriver(t, { directory: first.directory })
    for (const bytes of attempts.slice(3)) await send(second, 1, bytes)
    const folder = join(first.directory, 'staging', file.key.slice(-2), file.key)
    assert.equal((await readdir(folder)).length, 5)
    const staged = await second.driver.listStaged(file.key, '')
    assert.deepEqual(
      staged.map(({ partNumber, etag }) => [partNumber, etag]),
      [...attempts.slice(3).map((bytes) => [1, md5(bytes)]), [2, md5(attempts[0] ?? Buffer.alloc(0))]],
    )
  })

  test('keeps the attempt selected for verification while newer attempts are stored', async (t) => {
    const { driver } = await openLocalDriver(t)
    const file = fileOf(Buffer.alloc(1000))
    const part = { multipartId: '', partNumber: 1, sizeBytes: 1000, expiresInSeconds }
    const send = async () => put(await driver.signPart(file, part), randomBytes(1000))
    await send()
    const [chosen] = await driver.listStaged(file.key, '')
    assert.ok(chosen)
    const release = driver.protect(file.key, [chosen])
    for (let n = 0; n < 6; n++) await send()
    const names = async () => (await driver.listStaged(file.key, '')).map(({ name }) => name)
    assert.ok((await names()).includes(chosen.name))
    release()
    await send()
    assert.equal((await names()).length, 4)
    assert.ok(!(await names()).includes(chosen.name))
  })

  test('keeps the most recent attempt after concurrent PUTs of the same part', async (t) => {
    const { driver } = await openLocalDriver(t)
    const bodies = Array.from({ length: 6 }, () => randomBytes(1000))
    const file = fileOf(Buffer.alloc(1000))
    const part = { multipartId: '', partNumber: 1, sizeBytes: 1000, expiresInSeconds }
    const send = async (bytes: Buffer<ArrayBuffer>) => put(await driver.signPart(file, part), bytes)
    for (let round = 0; round < 15; round++) {
      const rivals = bodies.map(send)
      const last = bodies[round % bodies.length] ?? Buffer.alloc(0)
      await Promise.all(rivals)
      assert.equal((await send(last)).status, 200)
      assert.equal((await driver.listStaged(file.key, '')).at(-1)?.etag, md5(last))
    }
  })
})
