import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { checksumsOf } from './checksums.ts'
import { fileOf, md5, sha256, uploadParts } from './driver.suite.ts'
import { openLocalDriver } from './local-driver.fixture.ts'

describe('checksums of an object', () => {
  test('of several parts are those of the bytes one after the other', async (t) => {
    const { driver } = await openLocalDriver(t)
    const parts = [3_000_000, 1, 2_500_000, 1024 * 1024].map((size) => randomBytes(size))
    const whole = Buffer.concat(parts)
    const { object } = await uploadParts(driver, fileOf(whole), parts)
    assert.deepEqual(await checksumsOf(driver, object), { md5: md5(whole), sha256: sha256(whole) })
  })

  test('of chunks larger than a slab are those of the bytes', async () => {
    const bytes = randomBytes(5_000_000)
    const driver = {
      async *read() {
        yield bytes.subarray(0, 4_000_000)
        yield bytes.subarray(4_000_000)
      },
    }
    assert.deepEqual(await checksumsOf(driver, { key: '', sizeBytes: bytes.length, segments: [] }), {
      md5: md5(bytes),
      sha256: sha256(bytes),
    })
  })

  test('a signal ends the work with its reason', async () => {
    const giveUp = new AbortController()
    const driver = {
      async *read() {
        for (;;) {
          yield randomBytes(1000)
          giveUp.abort(new Error('out of time'))
        }
      },
    }
    await assert.rejects(
      checksumsOf(driver, { key: '', sizeBytes: 1, segments: [] }, { signal: giveUp.signal }),
      { message: 'out of time' },
    )
  })

  test('bytes that cannot be read are an error, not a checksum', async (t) => {
    const { driver } = await openLocalDriver(t)
    const { object } = await uploadParts(driver, fileOf(Buffer.alloc(10)), [Buffer.alloc(10)])
    await driver.remove(object)
    await assert.rejects(checksumsOf(driver, object), { code: 'storage.unavailable' })
  })
})
