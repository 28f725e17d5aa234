import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileOf, md5, put } from '../driver.suite.ts'
import { openLocalDriver, openUpload } from './local-driver.fixture.ts'

const expiresInSeconds = 60

describe('staging, sealing and discarding', { concurrency: 4 }, () => {
  test('lists identical uploads of a part as one attempt and treats it as the most recent', async (t) => {
    const { driver } = await openLocalDriver(t)
    const [first, second] = [randomBytes(1000), randomBytes(1000)]
    const file = fileOf(first)
    for (const bytes of [first, second, first]) {
      const part = { multipartId: '', partNumber: 1, sizeBytes: 1000, expiresInSeconds }
      assert.equal((await put(await driver.signPart(file, part), bytes)).status, 200)
    }
    assert.deepEqual(
      (await driver.listStaged(file.key, '')).map(({ etag }) => etag),
      [md5(second), md5(first)],
    )
  })

  test('leaves sealed bytes unchanged and the staging folder empty when PUTs race with seal', async (t) => {
    const { driver, directory } = await openLocalDriver(t)
    for (let round = 0; round < 30; round++) {
      const bytes = randomBytes(2000)
      const file = fileOf(bytes)
      const { url } = await driver.signPut(file, { expiresInSeconds })
      await put(url, bytes)
      const chosen = await driver.listStaged(file.key, '')
      const rivals = Array.from({ length: 8 }, () => put(url, randomBytes(2000)))
      const object = await driver.seal(file.key, '', chosen)
      const responses = await Promise.all(rivals)
      for (const { status } of responses) assert.ok(status === 200 || status === 409, String(status))
      const kept = new Set((await driver.listStaged(file.key, '')).map(({ etag }) => `"${etag}"`))
      for (const { status, headers } of responses)
        if (status === 200) assert.ok(kept.has(headers.get('etag') ?? ''))
      assert.equal(object.md5, md5(bytes))
      for await (const chunk of driver.read(object)) assert.deepEqual(Buffer.from(chunk), bytes)
      assert.deepEqual(await readdir(join(directory, 'staging', file.key.slice(-2))), [])
    }
  })

  test('either seals the correct bytes or throws storage.part_missing when seal races with discard and a PUT', async (t) => {
    const { driver } = await openLocalDriver(t)
    for (let round = 0; round < 30; round++) {
      const bytes = randomBytes(2000)
      const file = fileOf(bytes)
      const { url } = await driver.signPut(file, { expiresInSeconds })
      await put(url, bytes)
      const chosen = await driver.listStaged(file.key, '')
      const [sealed, , rival] = await Promise.all([
        driver.seal(file.key, '', chosen).catch((error: { code: string }) => error.code),
        driver.discard(file.key, ''),
        put(url, randomBytes(2000)),
      ])
      assert.ok(rival.status === 200 || rival.status === 409, String(rival.status))
      if (typeof sealed === 'string') assert.equal(sealed, 'storage.part_missing')
      else for await (const chunk of driver.read(sealed)) assert.deepEqual(Buffer.from(chunk), bytes)
    }
  })

  test('empties tmp/ at startup when no other server uses the folder', async (t) => {
    const { directory } = await openLocalDriver(t)
    await writeFile(join(directory, 'tmp', 'put.fresh'), 'x')
    await mkdir(join(directory, 'tmp', 'removed.fresh'))
    await openLocalDriver(t, { directory, isSoleUser: true })
    assert.deepEqual(await readdir(join(directory, 'tmp')), [])
  })

  test('deletes old files and folders in tmp/ at startup but keeps recent files', async (t) => {
    const { directory } = await openLocalDriver(t)
    const [old, fresh, folder] = ['put.old', 'put.fresh', 'removed.old'].map((name) =>
      join(directory, 'tmp', name),
    )
    assert.ok(old && fresh && folder)
    await writeFile(old, 'x')
    await writeFile(fresh, 'x')
    await mkdir(folder)
    await writeFile(join(folder, 'x'), 'x')
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(old, twoHoursAgo, twoHoursAgo)
    await utimes(folder, twoHoursAgo, twoHoursAgo)
    await openLocalDriver(t, { directory })
    assert.deepEqual(await readdir(join(directory, 'tmp')), ['put.fresh'])
  })

  test('does not list a staged part whose file is truncated', async (t) => {
    const bytes = randomBytes(1000)
    const { driver, directory, file, url } = await openUpload(t, bytes)
    await put(url, bytes)
    const [part] = await driver.listStaged(file.key, '')
    assert.ok(part)
    const path = join(directory, 'staging', file.key.slice(-2), file.key, part.name)
    await writeFile(path, bytes.subarray(0, 500))
    assert.deepEqual(await driver.listStaged(file.key, ''), [])
  })

  test('rejects a key that is not a lowercase UUID', async (t) => {
    const { driver } = await openLocalDriver(t)
    for (const key of [
      '',
      '..',
      '../../etc',
      'a/b',
      '0197a0b0-0000-7000-8000-00000000000A',
      '0197a0b0-0000-7000-8000-00000000000a/..',
    ]) {
      await assert.rejects(async () => driver.listStaged(key, ''), TypeError)
      await assert.rejects(async () => driver.discard(key, ''), TypeError)
      await assert.rejects(async () => driver.remove({ key }), TypeError)
    }
  })
})
