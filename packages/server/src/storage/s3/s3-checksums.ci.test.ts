import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startS3Proxy } from '../../../test/s3-proxy.ts'
import { missingS3Server, sharedS3Server } from '../../../test/s3-server.ts'
import { allDigests, confirmed, fileOf, uploadParts } from '../driver.suite.ts'
import { openS3Driver } from './s3-driver.fixture.ts'

const minPartBytes = 5 * 1024 * 1024

describe('checksums of objects whose manifest has no parts', { skip: missingS3Server }, () => {
  let release: () => Promise<void>
  before(async () => void ({ release } = await sharedS3Server()))
  after(() => release())

  for (const [name, partBytes, reportsParts] of [
    ['a whole number of MiB', minPartBytes, false],
    ['a size that the store reports', minPartBytes + 1, true],
  ] as const)
    test(`compares an object whose manifest has no parts with its ETag if the parts have ${name}`, async (t) => {
      const { server } = await sharedS3Server()
      let changedReads = 0
      const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) => {
        if (method === 'HEAD' && url.includes('partNumber=1') && reportsParts)
          return { 'content-length': String(partBytes) }
        return method === 'GET' && url.includes('/objects/') && changedReads-- > 0 ? 'flip-bit' : undefined
      })
      t.after(() => proxy.close())
      const { driver } = await openS3Driver(t, { endpoint: proxy.url })
      const parts = [partBytes, partBytes, 1000].map((size) => randomBytes(size))
      const { object } = await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)
      const [{ name: segmentName, sizeBytes } = { name: '', sizeBytes: 0 }] = object.segments
      const old = { ...object, segments: [{ name: segmentName, sizeBytes }] }
      changedReads = 1
      assert.deepEqual(await driver.checksums(old), confirmed(Buffer.concat(parts)))
    })

  test('reads an object twice whose ETag cannot be compared, unless the checksums are recorded', async (t) => {
    const { server } = await sharedS3Server()
    let [changedReads, reads] = [0, 0]
    const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) => {
      if (method !== 'GET' || !url.includes('/objects/')) return undefined
      reads += 1
      return changedReads-- > 0 ? 'flip-bit' : undefined
    })
    t.after(() => proxy.close())
    const { driver } = await openS3Driver(t, { endpoint: proxy.url })
    const parts = [minPartBytes, minPartBytes + 1, 1000].map((size) => randomBytes(size))
    const { object } = await uploadParts(driver, fileOf(Buffer.concat(parts)), parts)
    const [{ name, sizeBytes } = { name: '', sizeBytes: 0 }] = object.segments
    const old = { ...object, segments: [{ name, sizeBytes }] }
    const whole = Buffer.concat(parts)
    const expected = { ...allDigests(whole), isConfirmed: false }
    const check = async (changed: number, recorded?: { md5: string; sha256: string }) => {
      ;[changedReads, reads] = [changed, 0]
      assert.deepEqual(await driver.checksums(old, recorded && { recorded }), expected)
      return reads
    }
    assert.equal(await check(0), 2)
    assert.equal(await check(1), 3)
    assert.equal(await check(0, allDigests(whole)), 1)
    assert.equal(await check(1, allDigests(whole)), 2)
  })
})
