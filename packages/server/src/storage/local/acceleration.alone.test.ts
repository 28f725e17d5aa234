import assert from 'node:assert/strict'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { createAccelerate } from './acceleration.ts'
import { collectLog, openDownload, openLocalDriver } from './local-driver.fixture.ts'
import { localLayout } from './local-layout.ts'

const groupId = process.getuid?.() === 0 ? 33 : Number(process.getgid?.())
const accelRedirectPrefix = '/internal/'

async function accessOf(path: string): Promise<{ mode: string; gid: number }> {
  const { mode, gid } = await stat(path)
  return { mode: (mode & 0o777).toString(8), gid }
}

describe('downloads served by nginx', { skip: process.platform === 'win32' }, () => {
  test('gives the group access to a file at its first download, even if the file was stored earlier', async (t) => {
    const before = await openDownload(t, [1000])
    const { directory, folder, object } = before
    await chmod(folder, 0o700)
    const path = join(folder, object.segments[0]?.name ?? '')
    assert.equal((await accessOf(path)).mode, '600')
    const { driver, commit } = await openLocalDriver(t, { directory, accelRedirectPrefix, groupId })
    commit(object)
    const url = await driver.signGet(object, { filename: 'a', contentType: 'a/b', expiresInSeconds: 60 })
    await (await fetch(url, { method: 'HEAD' })).arrayBuffer()
    assert.equal((await accessOf(path)).mode, '600')
    for (const attempt of ['first', 'second']) {
      const response = await fetch(url)
      assert.equal(response.headers.get('x-accel-redirect'), `/internal${path.slice(directory.length)}`)
      assert.deepEqual(await accessOf(path), { mode: '640', gid: groupId })
      for (const parent of [folder, dirname(folder), join(directory, 'objects'), directory])
        assert.deepEqual(await accessOf(parent), { mode: '710', gid: groupId }, `${attempt}: ${parent}`)
    }
  })

  test('denies the group access to uploads and quarantined files', async (t) => {
    const { directory } = await openLocalDriver(t)
    const closed = ['tmp', 'staging', 'quarantine'].map((name) => join(directory, name))
    await mkdir(join(directory, 'quarantine'), { recursive: true })
    for (const folder of closed) await chmod(folder, 0o755)
    await openLocalDriver(t, { directory, accelRedirectPrefix, groupId })
    for (const folder of closed) assert.equal((await accessOf(folder)).mode, '700')
  })

  test('serves a file without nginx if the group of the file cannot be changed', async (t) => {
    const { directory, object } = await openDownload(t, [1000])
    const { log, lines } = collectLog()
    const denied = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })
    const layout = { ...localLayout(directory), reading: () => Promise.reject(denied) }
    const accelerate = createAccelerate({ layout, prefix: '/internal/', groupId, log })
    assert.equal(await accelerate(object), undefined)
    assert.match(String(lines()[0]?.['msg']), /sending a file without nginx/)
  })

  test('serves requests with If-Match without nginx, which uses a different ETag', async (t) => {
    const { url, whole } = await openDownload(t, [1000], { accelRedirectPrefix })
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
    const response = await fetch(url, { headers: { 'if-match': etag } })
    assert.equal(response.headers.get('x-accel-redirect'), null)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole)
    assert.equal((await fetch(url, { headers: { 'if-match': '"other"' } })).status, 412)
  })
})
