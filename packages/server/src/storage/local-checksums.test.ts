import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { fileOf, md5, sha256, uploadParts } from './driver.suite.ts'
import { openLocalDriver } from './local-driver.fixture.ts'

describe('checksums of an object', () => {
  test('of several parts are those of the bytes one after the other', async (t) => {
    const { driver } = await openLocalDriver(t)
    const parts = [3_000_000, 1, 2_500_000, 1024 * 1024].map((size) => randomBytes(size))
    const whole = Buffer.concat(parts)
    const { object } = await uploadParts(driver, fileOf(whole), parts)
    assert.deepEqual(await driver.checksums(object), { md5: md5(whole), sha256: sha256(whole) })
  })

  test('of few bytes are known too', async (t) => {
    const { driver } = await openLocalDriver(t)
    const parts = [Buffer.from('a'), Buffer.from('bc')]
    const { object } = await uploadParts(driver, fileOf(Buffer.from('abc')), parts)
    assert.deepEqual(await driver.checksums(object), {
      md5: md5(Buffer.from('abc')),
      sha256: sha256(Buffer.from('abc')),
    })
  })

  test('many at once are each right', async (t) => {
    const { driver } = await openLocalDriver(t)
    const wholes = Array.from({ length: 10 }, () => randomBytes(2_000_000))
    const objects = await Promise.all(wholes.map((bytes) => uploadParts(driver, fileOf(bytes), [bytes])))
    const checksums = await Promise.all(objects.map(({ object }) => driver.checksums(object)))
    assert.deepEqual(
      checksums,
      wholes.map((bytes) => ({ md5: md5(bytes), sha256: sha256(bytes) })),
    )
  })

  test('a signal ends the work with its reason, and the next is not harmed', async (t) => {
    const { driver } = await openLocalDriver(t)
    const bytes = randomBytes(3_000_000)
    const { object } = await uploadParts(driver, fileOf(bytes), [bytes])
    const signal = AbortSignal.abort(new Error('out of time'))
    await assert.rejects(driver.checksums(object, { signal }), { message: 'out of time' })
    assert.equal((await driver.checksums(object)).md5, md5(bytes))
  })

  test('bytes that cannot be read are an error, not a checksum', async (t) => {
    const { driver } = await openLocalDriver(t)
    const { object } = await uploadParts(driver, fileOf(Buffer.alloc(10)), [Buffer.alloc(10)])
    await driver.remove(object)
    await assert.rejects(driver.checksums(object), { code: 'storage.unavailable' })
  })
})
