import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { confirmed, describeDriver, fileOf, md5, uploadParts } from '../driver.suite.ts'
import { openLocalDriver } from './local-driver.fixture.ts'

describeDriver('local driver', (t) => openLocalDriver(t))

describe('local driver checksums', () => {
  for (const [description, sizes] of Object.entries({
    'large parts and a 1-byte part': [3_000_000, 1, 2_500_000, 1024 * 1024],
    'parts of 1 and 2 bytes': [1, 2],
  })) {
    test(`hashes an object with ${description} as one stream`, async (t) => {
      const { driver } = await openLocalDriver(t)
      const parts = sizes.map((size) => randomBytes(size))
      const whole = Buffer.concat(parts)
      const { object } = await uploadParts(driver, fileOf(whole), parts)
      assert.deepEqual(await driver.checksums(object), confirmed(whole))
    })
  }

  test('hashes many objects concurrently', async (t) => {
    const { driver } = await openLocalDriver(t)
    const wholes = Array.from({ length: 10 }, () => randomBytes(2_000_000))
    const objects = await Promise.all(wholes.map((bytes) => uploadParts(driver, fileOf(bytes), [bytes])))
    const checksums = await Promise.all(objects.map(({ object }) => driver.checksums(object)))
    assert.deepEqual(
      checksums,
      wholes.map((bytes) => confirmed(bytes)),
    )
  })

  for (const sizes of [[3_000_000], [1000, 600_000, 77]]) {
    test(`throws storage.file_damaged when one bit changes in an object with part sizes ${sizes.join(', ')}`, async (t) => {
      const { driver, directory } = await openLocalDriver(t)
      const parts = sizes.map((size) => randomBytes(size))
      const { object } = await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)
      const damaged = object.segments.at(-1)?.name ?? ''
      const bytes = parts.at(-1) ?? Buffer.alloc(0)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(join(directory, 'objects', object.key.slice(-2), object.key, damaged), bytes)
      const expected = { code: 'storage.file_damaged', key: object.key, partName: damaged }
      await assert.rejects(driver.checksums(object), expected)
    })
  }

  test('rejects with the abort reason when the signal is aborted and hashes the object on the next call', async (t) => {
    const { driver } = await openLocalDriver(t)
    const bytes = randomBytes(3_000_000)
    const { object } = await uploadParts(driver, fileOf(bytes), [bytes])
    const signal = AbortSignal.abort(new Error('out of time'))
    await assert.rejects(driver.checksums(object, { signal }), { message: 'out of time' })
    assert.equal((await driver.checksums(object)).md5, md5(bytes))
  })

  test('throws storage.file_missing when the stored bytes are missing', async (t) => {
    const { driver } = await openLocalDriver(t)
    const { object } = await uploadParts(driver, fileOf(Buffer.alloc(10)), [Buffer.alloc(10)])
    await driver.remove(object)
    await assert.rejects(driver.checksums(object), { code: 'storage.file_missing' })
  })
})
