import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { expirySeconds } from '../../../test/acceptance/test-storage.ts'
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

/** Sends a request without an API key. */
const sendPublic = (method: string, url: string, body?: unknown) =>
  service.call(method, url, { key: null, body })

async function createLink(fields: Record<string, unknown> = {}) {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
  const { data } = (await send('POST', path, fields)).body
  const { download_url } = (await sendPublic('GET', data.url)).body.data
  const count = async () => (await send('GET', path)).body.data[0].download_count as number
  const { id, url } = data as { id: string; url: string }
  return { build, bytes, id, url, download: download_url as string, count }
}

const rowsOf = (linkId: string) =>
  service.deps.db.selectFrom('downloads').selectAll().where('share_link_id', '=', linkId).execute()

test('redirects to the file, increments the download count and records the download', async () => {
  const { build, bytes, id, download, count } = await createLink()
  const response = await service.call('GET', download, { key: null, headers: { 'user-agent': 'Browser/1' } })
  assert.equal(response.status, 302)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(response.headers.get('etag'), null)
  const location = response.headers.get('location') ?? ''
  assert.equal(response.body.location, location)
  const file = await fetch(location)
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment;.*app\.7z/)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  assert.equal(await count(), 1)
  const [row, ...more] = await rowsOf(id)
  assert.equal(more.length, 0)
  assert.deepEqual(
    [row?.channel, row?.build_id, row?.file_id, row?.user_agent, row?.address === null],
    ['share-link', build.id, build.primary_file.id, 'Browser/1', false],
  )
})

test('serves the file to `curl -L`', async () => {
  const { bytes, download } = await createLink()
  const { stdout } = await promisify(execFile)('curl', ['-sSL', '--fail', '-o', '-', download], {
    encoding: 'buffer',
  })
  assert.deepEqual(stdout, Buffer.from(bytes))
})

test('does not count HEAD requests or views of the share link as downloads', async () => {
  const { id, url, download, count } = await createLink({ max_downloads: 1 })
  for (let i = 0; i < 5; i++) {
    const head = await fetch(download, { method: 'HEAD', redirect: 'manual' })
    assert.deepEqual([head.status, head.headers.get('location')], [302, null])
    await fetch(url, { method: 'HEAD' })
    assert.equal((await sendPublic('GET', url)).status, 200)
  }
  assert.deepEqual([await count(), (await rowsOf(id)).length], [0, 0])
  assert.equal((await sendPublic('GET', download)).status, 302)
  assert.equal((await fetch(download, { method: 'HEAD', redirect: 'manual' })).status, 410)
})

test('allows only 5 of 50 concurrent downloads across both endpoints when the download limit is 5', async () => {
  const { id, url, download, count } = await createLink({ max_downloads: 5 })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? sendPublic('GET', download) : sendPublic('POST', `${url}/downloads`, {}),
    ),
  )
  const statuses = responses.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 410).length, 45)
  assert.equal(statuses.filter((status) => status === 302 || status === 200).length, 5)
  assert.deepEqual([await count(), (await rowsOf(id)).length], [5, 5])
  assert.equal((await sendPublic('GET', url)).body.code, 'share_link.used_up')
  assert.equal((await send('PATCH', `/share-links/${id}`, { max_downloads: 4 })).status, 409)
})

test('requires a grant to download from a password-protected share link', async () => {
  const { url, download, count } = await createLink({ password: 'open sesame' })
  assert.equal((await sendPublic('GET', download)).body.code, 'share_link.password_required')
  assert.equal((await fetch(download, { method: 'HEAD', redirect: 'manual' })).status, 403)
  const { data } = (await sendPublic('POST', `${url}/grants`, { password: 'open sesame' })).body
  assert.equal((await sendPublic('GET', `${data.shared.download_url}?grant=${data.grant}`)).status, 302)
  assert.equal((await sendPublic('GET', `${download}?grant=9${data.grant}`)).status, 403)
  assert.equal(await count(), 1)
})

test('allows downloads of any build in a shared release by ID but rejects other builds and files', async () => {
  const [a, b] = [await uploadedBuild(service, tenant), await uploadedBuild(service, tenant)]
  const unrelated = await uploadedBuild(service, tenant)
  const version = { version_component_1_major: 1, version_component_2_minor: 0, version_component_3_patch: 0 }
  const fields = { title: 'Both', ...version, build_ids: [a.build.id, b.build.id] }
  const release = await send('POST', `/applications/${tenant.applicationId}/releases`, fields)
  const path = `/applications/${tenant.applicationId}/releases/${release.body.data.id}/share-links`
  const { url } = (await send('POST', path, {})).body.data
  for (const { build, bytes } of [a, b]) {
    const file = await fetch(`${url}/download?build_id=${build.id}`)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  }
  for (const query of ['', `?build_id=${unrelated.build.id}`, '?build_id=nothing']) {
    const response = await sendPublic('GET', `${url}/download${query}`)
    assert.equal(response.status, 422, query)
    assert.ok('build_id' in response.body.errors)
  }
  for (const fileId of [b.build.primary_file.id, 'nothing']) {
    const response = await sendPublic('GET', `${url}/download?build_id=${a.build.id}&file_id=${fileId}`)
    assert.deepEqual([response.status, Object.keys(response.body.errors)], [422, ['file_id']])
  }
})

test('omits the Location header for an unknown or revoked share link and for a trashed build', async () => {
  const { build, id, download } = await createLink()
  const wrong = await sendPublic('GET', download.replace(id, 'nothinghere'))
  await send('DELETE', `/applications/${tenant.applicationId}/builds/${build.id}?force=true`)
  const trashed = await sendPublic('GET', download)
  assert.deepEqual([wrong.status, trashed.status], [404, 404])
  await send('PATCH', `/share-links/${id}`, { is_active: false })
  const revoked = await sendPublic('GET', download)
  assert.deepEqual([revoked.status, revoked.body.code], [410, 'share_link.revoked'])
  for (const { headers } of [wrong, trashed, revoked]) assert.equal(headers.get('location'), null)
})

const sendRange = (url: string, range: string, agent = 'Browser/1') =>
  service.call('GET', url, { key: null, headers: { range, 'user-agent': agent } })

const secondsLeft = (url: string): number => expirySeconds(url) - Date.now() / 1000

test('counts every range request as a download, even from the same address and user agent', async () => {
  const { id, bytes, download, count } = await createLink({ max_downloads: 2 })
  const first = await sendRange(download, 'bytes=0-')
  assert.equal(first.status, 302)
  assert.equal((await sendRange(download, 'bytes=1-')).status, 302)
  assert.equal(await count(), 2)
  for (const range of ['bytes=1-', 'bytes=3-4', 'bytes=0-'])
    assert.equal((await sendRange(download, range)).body.code, 'share_link.used_up', range)
  const head = { method: 'HEAD', redirect: 'manual', headers: { range: 'bytes=5-' } } as const
  assert.equal((await fetch(download, head)).status, 410)
  const rest = await fetch(first.body.location, { headers: { range: 'bytes=2-' } })
  assert.equal(rest.status, 206)
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), Buffer.from(bytes.subarray(2)))
  assert.deepEqual([await count(), (await rowsOf(id)).length], [2, 2])
})

test('returns URLs that expire after 15 minutes', async () => {
  const { url, download } = await createLink()
  const redirect = await sendPublic('GET', download)
  const links = await sendPublic('POST', `${url}/downloads`, {})
  for (const signed of [redirect.body.location, links.body.primary_file.temp_url])
    assert.ok(secondsLeft(signed) > 890 && secondsLeft(signed) <= 900, signed)
  const expiresIn = (Date.parse(links.body.expires_at) - Date.now()) / 1000
  assert.ok(expiresIn > 890 && expiresIn <= 900, `${expiresIn}`)
})

const setDownloadAge = (linkId: string, seconds: number) =>
  service.deps.db
    .updateTable('downloads')
    .set({ created_at: new Date(Date.now() - seconds * 1000).toISOString() })
    .where('share_link_id', '=', linkId)
    .execute()

test('renews the URLs of a counted download for six hours without counting it again', async () => {
  const { id, url, bytes, download, count } = await createLink({ max_downloads: 1 })
  const { resume } = (await sendPublic('GET', download)).body
  await setDownloadAge(id, 6 * 3600 - 300)
  const renewed = await sendRange(`${download}?resume=${resume}`, 'bytes=2-', 'Other/2')
  assert.equal(renewed.status, 302, renewed.text)
  assert.equal(renewed.body.resume, resume)
  const { location } = renewed.body
  assert.ok(secondsLeft(location) > 280 && secondsLeft(location) <= 301, `${secondsLeft(location)}`)
  const rest = await fetch(location, { headers: { range: 'bytes=2-' } })
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), Buffer.from(bytes.subarray(2)))
  const links = await sendPublic('POST', `${url}/downloads`, { resume })
  assert.ok(secondsLeft(links.body.primary_file.temp_url) <= 301)
  assert.deepEqual([await count(), (await rowsOf(id)).length], [1, 1])
  await setDownloadAge(id, 6 * 3600)
  const late = await sendPublic('GET', `${download}?resume=${resume}`)
  assert.deepEqual([late.status, late.body.code], [410, 'share_link.not_resumable'])
})

test('refuses to resume a download with a modified token, a token for another link or a revoked link', async () => {
  const { id, url, download } = await createLink({ max_downloads: 1 })
  const other = await createLink()
  const { resume } = (await sendPublic('POST', `${url}/downloads`, {})).body
  const foreign = (await sendPublic('GET', other.download)).body.resume
  const row = (await rowsOf(id))[0]?.id ?? ''
  for (const token of [foreign, `${resume}x`, `${row}.${foreign.split('.')[1]}`, row, 'x', '.']) {
    const { status, body } = await sendPublic('GET', `${download}?resume=${token}`)
    assert.deepEqual([status, body.code], [410, 'share_link.not_resumable'], token)
  }
  await send('PATCH', `/share-links/${id}`, { is_active: false })
  assert.equal((await sendPublic('GET', `${download}?resume=${resume}`)).body.code, 'share_link.revoked')
})

test('requires a grant to resume a download from a password-protected link', async () => {
  const { url, download } = await createLink({ password: 'open sesame', max_downloads: 1 })
  const { grant } = (await sendPublic('POST', `${url}/grants`, { password: 'open sesame' })).body.data
  const { resume } = (await sendPublic('GET', `${download}?grant=${grant}`)).body
  assert.equal(
    (await sendPublic('GET', `${download}?resume=${resume}`)).body.code,
    'share_link.password_required',
  )
  assert.equal((await sendPublic('GET', `${download}?resume=${resume}&grant=${grant}`)).status, 302)
})

test('limits the downloads of a client through one share link without affecting other links', async () => {
  const limited = await startService({ environment: { QUAYSIDE_DOWNLOAD_RATE_LIMIT: '5' } })
  try {
    const owner = await limited.tenant()
    const { build } = await uploadedBuild(limited, owner)
    const path = `/applications/${owner.applicationId}/builds/${build.id}/share-links`
    const create = async () =>
      (await limited.call('POST', path, { key: owner.applicationKey, body: {} })).body.data
    const [link, other] = [await create(), await create()]
    const get = (url: string) => limited.call('GET', `${url}/download`, { key: null })
    const responses = await Promise.all(Array.from({ length: 30 }, () => get(link.url)))
    assert.equal(responses.filter(({ status }) => status === 302).length, 10)
    const refused = responses.filter(({ status }) => status === 429)
    assert.equal(refused.length, 20)
    for (const { headers } of refused) assert.ok(Number(headers.get('retry-after')) > 0)
    assert.equal((await get(other.url)).status, 302)
    const [read] = (await limited.call('GET', path, { key: owner.applicationKey })).body.data
    assert.equal(read.download_count, 10)
  } finally {
    await limited.close()
  }
})
