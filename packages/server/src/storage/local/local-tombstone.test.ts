import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, stat, utimes } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { fileOf, put } from '../driver.suite.ts'
import { openLocalDriver, openUpload } from './local-driver.fixture.ts'
import { sendRaw } from './raw-http.fixture.ts'

const expiresInSeconds = 60

const absentPart = {
  partNumber: 0,
  etag: 'a'.repeat(32),
  sizeBytes: 1,
  storedAt: new Date(),
  name: `0.1.${'a'.repeat(32)}.${'a'.repeat(64)}`,
}

/** Sends the first half of the bytes immediately and the rest when `finish` is called. */
function sendSlowly(origin: string, target: string, bytes: Buffer) {
  const request = httpRequest(origin + target, {
    method: 'PUT',
    headers: { 'content-length': bytes.length },
  })
  const response = new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (message) => {
      let text = ''
      message.on('data', (chunk: Buffer) => (text += chunk.toString()))
      message.on('end', () => {
        const code = text === '' ? undefined : (JSON.parse(text) as { code: unknown }).code
        resolve({ status: message.statusCode, code })
      })
    })
  })
  request.write(bytes.subarray(0, bytes.length / 2))
  const finish = () => {
    request.end(bytes.subarray(bytes.length / 2))
    return response
  }
  return { finish }
}

describe('discard', { concurrency: 4 }, () => {
  test('returns 409 for running and later PUTs after discard and keeps no bytes, even after a restart', async (t) => {
    const bytes = randomBytes(1_000_000)
    const { driver, directory, origin, url, target, file, temporary } = await openUpload(t, bytes)
    assert.equal((await put(url, bytes)).status, 200)
    const running = sendSlowly(origin, target, bytes)
    await until('the PUT to begin', async () => (await temporary()).length === 1)
    await driver.discard(file.key, '')
    assert.deepEqual(await temporary(), [])
    const response = await running.finish()
    assert.deepEqual([response.status, response.code], [409, 'storage.upload_gone'])
    assert.deepEqual([await driver.listStaged(file.key, ''), await temporary()], [[], []])
    await driver.discard(file.key, '')

    const restarted = await openLocalDriver(t, { directory })
    const { url: later } = await restarted.driver.signPut(file, { expiresInSeconds })
    const rejected = await put(later, bytes)
    assert.equal(rejected.status, 409)
    assert.equal(((await rejected.json()) as { code: string }).code, 'storage.upload_gone')
    const path = join(directory, 'staging', file.key.slice(-2), file.key)
    assert.deepEqual([(await stat(path)).size, await temporary()], [0, []])
    const listed: string[] = []
    for await (const { key } of driver.listKeys({ unchangedSince: new Date(Date.now() + 60_000) }))
      listed.push(key)
    assert.deepEqual(listed, [])
  })

  test('rejects a PUT to one server after another server discards the upload', async (t) => {
    const bytes = randomBytes(1_000_000)
    const { directory, origin, target, file, temporary } = await openUpload(t, bytes)
    const other = await openLocalDriver(t, { directory })
    const running = sendSlowly(origin, target, bytes)
    await until('the PUT to begin', async () => (await temporary()).length === 1)
    await other.driver.discard(file.key, '')
    assert.equal((await running.finish()).status, 409)
    assert.deepEqual(await temporary(), [])
  })

  test('returns 409 to a stalled client after its upload is discarded', async (t) => {
    const { driver, origin, target, file, temporary } = await openUpload(t, randomBytes(1000), {
      stallLimit: { windowSeconds: 1, minBytesPerSecond: 1 },
    })
    const response = sendRaw(origin, `PUT ${target} HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nabc`)
    await until('the PUT to begin', async () => (await temporary()).length === 1)
    await driver.discard(file.key, '')
    assert.equal((await response).status, 409)
  })

  test('always leaves a tombstone and no bytes when discard races with PUTs', async (t) => {
    const { driver, directory } = await openLocalDriver(t)
    for (let round = 0; round < 30; round++) {
      const bytes = randomBytes(2000)
      const file = fileOf(bytes)
      const { url } = await driver.signPut(file, { expiresInSeconds })
      const rivals = Array.from({ length: 4 }, () => put(url, randomBytes(2000)))
      await Promise.all([driver.discard(file.key, ''), ...rivals])
      assert.ok((await stat(join(directory, 'staging', file.key.slice(-2), file.key))).isFile())
      assert.equal((await put(url, bytes)).status, 409)
      await assert.rejects(driver.seal(file.key, '', [{ ...absentPart }]), { code: 'storage.part_missing' })
    }
    assert.deepEqual(await readdir(join(directory, 'tmp')), [])
  })

  test('deletes a tombstone once every signed URL of its upload has expired', async (t) => {
    const { driver, directory } = await openLocalDriver(t)
    const [recent, old] = [randomUUID(), randomUUID()]
    for (const key of [recent, old]) await driver.discard(key, '')
    const path = (key: string) => join(directory, 'staging', key.slice(-2), key)
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)
    await utimes(path(old), twoDaysAgo, twoDaysAgo)
    await openLocalDriver(t, { directory })
    await assert.rejects(stat(path(old)), { code: 'ENOENT' })
    assert.ok((await stat(path(recent))).isFile())
  })
})
