import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: tenant.applicationKey, body })

/** As somebody without an account. */
const visit = (method: string, url: string, body?: unknown) => service.call(method, url, { key: null, body })

async function linked(wish: Record<string, unknown> = {}) {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
  const { data } = (await send('POST', path, wish)).body
  const { download_url } = (await visit('GET', data.url)).body.data
  const count = async () => (await send('GET', path)).body.data[0].download_count as number
  return {
    build,
    bytes,
    id: data.id as string,
    url: data.url as string,
    download: download_url as string,
    count,
  }
}

const rowsOf = (linkId: string) =>
  service.deps.db.selectFrom('downloads').selectAll().where('share_link_id', '=', linkId).execute()

test('the download of a link, a redirect of this one call to the bytes, counted and recorded', async () => {
  const { build, bytes, id, download, count } = await linked()
  const answer = await service.call('GET', download, { key: null, headers: { 'user-agent': 'Browser/1' } })
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(answer.headers.get('etag'), null)
  const location = answer.headers.get('location') ?? ''
  assert.equal(answer.body.location, location)
  const file = await fetch(location)
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment;.*app\.tar\.gz/)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  assert.equal(await count(), 1)
  const [row, ...more] = await rowsOf(id)
  assert.equal(more.length, 0)
  assert.deepEqual(
    [row?.way, row?.build_id, row?.file_id, row?.user_agent, row?.address === null],
    ['share-link', build.id, build.primary_file.id, 'Browser/1', false],
  )
})

test('curl -L, the bytes', async () => {
  const { bytes, download } = await linked()
  const { stdout } = await promisify(execFile)('curl', ['-sSL', '--fail', '-o', '-', download], {
    encoding: 'buffer',
  })
  assert.deepEqual(stdout, Buffer.from(bytes))
})

test('HEAD, and looking at the page, again and again, no download is counted', async () => {
  const { id, url, download, count } = await linked({ max_downloads: 1 })
  for (let i = 0; i < 5; i++) {
    const head = await fetch(download, { method: 'HEAD', redirect: 'manual' })
    assert.deepEqual([head.status, head.headers.get('location')], [302, null])
    await fetch(url, { method: 'HEAD' })
    assert.equal((await visit('GET', url)).status, 200)
  }
  assert.deepEqual([await count(), (await rowsOf(id)).length], [0, 0])
  assert.equal((await visit('GET', download)).status, 302)
  assert.equal((await fetch(download, { method: 'HEAD', redirect: 'manual' })).status, 410)
})

test('fifty at once by both ways of a link that allows five, exactly five', async () => {
  const { id, url, download, count } = await linked({ max_downloads: 5 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? visit('GET', download) : visit('POST', `${url}/downloads`, {}),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 410).length, 45)
  assert.equal(statuses.filter((status) => status === 302 || status === 200).length, 5)
  assert.deepEqual([await count(), (await rowsOf(id)).length], [5, 5])
})

test('a link with a password, only a grant leads to the bytes', async () => {
  const { url, download, count } = await linked({ password: 'open sesame' })
  assert.equal((await visit('GET', download)).body.code, 'share_link.password_required')
  assert.equal((await fetch(download, { method: 'HEAD', redirect: 'manual' })).status, 403)
  const { data } = (await visit('POST', `${url}/grants`, { password: 'open sesame' })).body
  assert.equal((await visit('GET', `${data.shared.download_url}?grant=${data.grant}`)).status, 302)
  assert.equal((await visit('GET', `${download}?grant=9${data.grant}`)).status, 403)
  assert.equal(await count(), 1)
})

test('a link to a release of two builds, each by its id, no other, and none without', async () => {
  const [a, b] = [await uploadedBuild(service, tenant), await uploadedBuild(service, tenant)]
  const stranger = await uploadedBuild(service, tenant)
  const version = { version_component_1_major: 1, version_component_2_minor: 0, version_component_3_patch: 0 }
  const wish = { title: 'Both', ...version, build_ids: [a.build.id, b.build.id] }
  const release = await send('POST', `/applications/${tenant.applicationId}/releases`, wish)
  const path = `/applications/${tenant.applicationId}/releases/${release.body.data.id}/share-links`
  const { url } = (await send('POST', path, {})).body.data
  for (const { build, bytes } of [a, b]) {
    const file = await fetch(`${url}/download?build_id=${build.id}`)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  }
  for (const query of ['', `?build_id=${stranger.build.id}`, '?build_id=nothing']) {
    const answer = await visit('GET', `${url}/download${query}`)
    assert.equal(answer.status, 422, query)
    assert.ok('build_id' in answer.body.errors)
  }
})

test('a wrong token, a revoked link, a build in the trash: no location', async () => {
  const { build, id, download } = await linked()
  const wrong = await visit('GET', download.replace(id, 'nothinghere'))
  await send('DELETE', `/applications/${tenant.applicationId}/builds/${build.id}`)
  const trashed = await visit('GET', download)
  assert.deepEqual([wrong.status, trashed.status], [404, 404])
  await send('PATCH', `/share-links/${id}`, { is_active: false })
  const revoked = await visit('GET', download)
  assert.deepEqual([revoked.status, revoked.body.code], [410, 'share_link.revoked'])
  for (const { headers } of [wrong, trashed, revoked]) assert.equal(headers.get('location'), null)
})

const ranged = (url: string, range: string, agent = 'Browser/1') =>
  service.call('GET', url, { key: null, headers: { range, 'user-agent': agent } })

test('a download that broke off, gone on with, is the same download, also of a link that allows one', async () => {
  const { id, bytes, download, count } = await linked({ max_downloads: 1 })
  assert.equal((await ranged(download, 'bytes=0-')).status, 302)
  for (const range of ['bytes=1-', 'bytes=3-4', 'bytes=1-']) {
    const answer = await ranged(download, range)
    assert.equal(answer.status, 302)
    const piece = await fetch(answer.headers.get('location') ?? '', { headers: { range } })
    assert.equal(piece.status, 206)
  }
  const rest = await fetch(download, { headers: { range: 'bytes=2-', 'user-agent': 'Browser/1' } })
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), Buffer.from(bytes.subarray(2)))
  assert.deepEqual([await count(), (await rowsOf(id)).length], [1, 1])
})

test('the location of a download that is gone on with, holds no longer than the first one did', async () => {
  const { id, download } = await linked({ max_downloads: 1 })
  assert.equal((await ranged(download, 'bytes=0-')).status, 302)
  const begunAgo = (seconds: number) =>
    service.deps.db
      .updateTable('downloads')
      .set({ created_at: new Date(Date.now() - seconds * 1000).toISOString() })
      .where('share_link_id', '=', id)
      .execute()
  await begunAgo(5 * 3600)
  const { location } = (await ranged(download, 'bytes=1-')).body
  const secondsLeft = Number(new URL(location).searchParams.get('expires')) - Date.now() / 1000
  assert.ok(secondsLeft > 3500 && secondsLeft < 3602, `${secondsLeft}`)
  await begunAgo(6 * 3600)
  assert.equal((await ranged(download, 'bytes=1-')).body.code, 'share_link.used_up')
})

test('what only looks like going on with a download, counts or is refused as any other', async () => {
  const { download, count } = await linked({ max_downloads: 2 })
  assert.equal((await ranged(download, 'bytes=5-')).status, 302)
  assert.equal(await count(), 1)
  assert.equal((await ranged(download, 'bytes=5-', 'Other/2')).status, 302)
  assert.equal(await count(), 2)
  for (const range of ['bytes=0-', 'bytes=-5', 'bytes=00-4', 'items=1-', 'bytes=', '1-'])
    assert.equal((await ranged(download, range)).body.code, 'share_link.used_up', range)
  assert.equal((await ranged(download, 'bytes=5-', 'Third/3')).body.code, 'share_link.used_up')
  const head = { method: 'HEAD', redirect: 'manual', headers: { range: 'bytes=5-' } } as const
  assert.equal((await fetch(download, head)).status, 410)
  assert.equal(await count(), 2)
})
