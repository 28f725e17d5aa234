import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { fileOf, md5, put } from '../driver.suite.ts'
import { openUpload } from '../local/local-driver.fixture.ts'
import { sendRaw } from '../local/raw-http.fixture.ts'
import { reservedBytesOf } from './free-space.ts'

const expiresInSeconds = 60

describe('free space', { concurrency: 4 }, () => {
  test('rejects PUTs with 507 while disk space is low but still seals and reads files uploaded earlier', async (t) => {
    const bytes = randomBytes(1000)
    const { driver, directory, url, file, staged } = await openUpload(t, bytes)
    assert.equal((await put(url, bytes)).status, 200)
    const full = await openUpload(t, bytes, { directory, diskReserve: { bytes: Number.MAX_SAFE_INTEGER } })
    for (const body of [bytes, randomBytes(1000)]) {
      const response = await put(full.url, body)
      assert.equal(response.status, 507)
      assert.equal(((await response.json()) as { code: string }).code, 'storage.out_of_space')
    }
    assert.deepEqual(await full.staged(), [])
    await full.driver.check()
    const object = await full.driver.seal(file.key, '', await driver.listStaged(file.key, ''))
    for await (const chunk of full.driver.read(object)) assert.deepEqual(Buffer.from(chunk), bytes)
    assert.deepEqual(await staged(), [md5(bytes)])
  })

  test('reserves no disk space for bytes that clients declare but do not send', async (t) => {
    const { bavail, bsize } = await statfs(tmpdir())
    const spareBytes = Math.floor((bavail * bsize) / 2)
    const bytes = randomBytes(5_000_000)
    const { driver, origin, temporary, url } = await openUpload(t, bytes, {
      diskReserve: { bytes: spareBytes },
    })
    const sizeBytes = Math.floor(spareBytes / 4)
    const slow = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const { url: target } = await driver.signPut({ ...fileOf(bytes), sizeBytes }, { expiresInSeconds })
        const socket = connect(Number(new URL(origin).port), '127.0.0.1')
        const path = target.slice(origin.length)
        socket.write(`PUT ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${sizeBytes}\r\n\r\n`)
        socket.write(randomBytes(500))
        return socket
      }),
    )
    await until('the PUTs to begin', async () => (await temporary()).length === 15)
    assert.equal((await put(url, bytes)).status, 200)
    const tooLarge = { ...fileOf(bytes), sizeBytes: bavail * bsize }
    const refused = await sendRaw(
      origin,
      `PUT ${(await driver.signPut(tooLarge, { expiresInSeconds })).url.slice(origin.length)} HTTP/1.1\r\nhost: a\r\ncontent-length: ${tooLarge.sizeBytes}\r\n\r\n`,
    )
    assert.equal(refused.status, 507)
    for (const socket of slow) socket.destroy()
  })

  test('reserves 5% of the disk by default, but at least 512 MiB and at most 20 GiB', async () => {
    const blocks: [diskBytes: number, reservedBytes: number][] = [
      [2 * 1024 ** 3, 512 * 1024 ** 2],
      [100 * 1024 ** 3, 5 * 1024 ** 3],
      [20 * 1024 ** 4, 20 * 1024 ** 3],
    ]
    for (const [diskBytes, reservedBytes] of blocks)
      assert.equal(reservedBytesOf(diskBytes, undefined), reservedBytes)
    assert.equal(reservedBytesOf(1000, { percent: 2.5 }), 25)
  })

  test('rejects sizes that do not fit, reports the available space, and accepts sizes that fit', async (t) => {
    const { blocks, bavail, bsize } = await statfs(tmpdir())
    const { driver } = await openUpload(t, randomBytes(1), { diskReserve: { percent: 0.5 } })
    const fitting = Math.floor(bavail * bsize - blocks * bsize * 0.005 - 2 ** 30)
    await driver.requireSpace(randomUUID(), fitting)
    await assert.rejects(driver.requireSpace(randomUUID(), fitting + 2 ** 31), {
      code: 'storage.out_of_space',
      message:
        /^The upload needs [\d.]+ [GT]B, but the disk of the server has [\d.]+ [GT]B free, of which [\d.]+ [MG]B/,
    })
  })

  test('returns 507 when too few inodes are free', async (t) => {
    const { files } = await statfs(tmpdir())
    if (files === 0) return t.skip('the file system does not report inodes')
    const bytes = randomBytes(1000)
    const { url, staged } = await openUpload(t, bytes, { reservedFreeFiles: files + 1 })
    const response = await put(url, bytes)
    assert.equal(response.status, 507)
    assert.equal(((await response.json()) as { code: string }).code, 'storage.out_of_files')
    assert.deepEqual(await staged(), [])
  })
})
