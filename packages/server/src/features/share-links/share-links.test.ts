import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
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
  const { status, body, text } = await send('POST', path, fields)
  assert.equal(status, 201, text)
  return { build, bytes, path, link: body.data }
}

test('opens and downloads a shared build without an API key', async () => {
  const { build, bytes, path, link } = await createLink()
  assert.deepEqual(
    [link.shareable_type, link.shareable_id, link.password_protected],
    ['build', build.id, false],
  )
  assert.deepEqual((await send('GET', path)).body.data, [link])
  assert.equal((await auditEntry(service, link.id)).action, 'share_link.created')
  const { body } = await sendPublic('GET', link.url)
  assert.equal(body.data.builds[0].id, build.id)
  assert.equal(body.data.builds[0].processing, 'none')
  for (const secret of ['scm', 'ci_pipeline', 'stream', 'labels', 'download_url'])
    assert.ok(!(secret in body.data.builds[0]), secret)
  const download = await sendPublic('POST', `${link.url}/downloads`, {})
  assert.equal(download.status, 200, download.text)
  const file = await fetch(download.body.primary_file.temp_url)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from(bytes))
  const row = await service.deps.db
    .selectFrom('downloads')
    .selectAll()
    .where('share_link_id', '=', link.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.channel, row.build_id], ['share-link', build.id])
  assert.notEqual(row.address, null)
  assert.equal((await send('GET', path)).body.data[0].download_count, 1)
})

test('returns the same 404 for an invalid token and an unknown share link', async () => {
  const { link } = await createLink()
  const other = (await createLink()).link
  const unknown = await sendPublic('GET', link.url.replace(link.id, 'nothinghere'))
  const wrong = await sendPublic('GET', other.url.replace(other.id, link.id))
  assert.equal(unknown.status, 404)
  assert.deepEqual({ ...wrong.body, request_id: '' }, { ...unknown.body, request_id: '' })
})

test('hides shared builds and rejects downloads until the correct password is entered', async () => {
  const { build, link } = await createLink({ password: 'open sesame' })
  assert.equal(link.password_protected, true)
  const closed = (await sendPublic('GET', link.url)).body.data
  assert.deepEqual([closed.password_required, closed.builds], [true, undefined])
  assert.equal(
    (await sendPublic('POST', `${link.url}/downloads`, {})).body.code,
    'share_link.password_required',
  )
  const guess = await sendPublic('POST', `${link.url}/grants`, { password: 'Open sesame' })
  assert.equal(guess.body.code, 'share_link.wrong_password')
  const opened = await sendPublic('POST', `${link.url}/grants`, { password: 'open sesame' })
  assert.equal(opened.status, 201)
  assert.equal(opened.body.data.shared.builds[0].id, build.id)
  const { grant } = opened.body.data
  const download = (value: string) => sendPublic('POST', `${link.url}/downloads`, { grant: value })
  assert.equal((await download(grant)).status, 200)
  assert.equal((await download(`9${grant}`)).status, 403)
  await send('PATCH', `/share-links/${link.id}`, { password: 'another' })
  assert.equal((await download(grant)).status, 403)
  const entry = await auditEntry(service, link.id)
  assert.equal((entry.after as { password_changed?: boolean }).password_changed, true)
  const { password_hash } = await service.deps.db
    .selectFrom('share_links')
    .select('password_hash')
    .where('id', '=', link.id)
    .executeTakeFirstOrThrow()
  assert.match(password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('checks only 5 of 30 concurrent password guesses and then rejects even the correct password', async () => {
  const { link } = await createLink({ password: 'right' })
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => sendPublic('POST', `${link.url}/grants`, { password: 'wrong' })),
  )
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [...Array(5).fill(403), ...Array(25).fill(429)],
  )
  const right = await sendPublic('POST', `${link.url}/grants`, { password: 'right' })
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers.get('retry-after')) > 0)
})

test('rejects requests for revoked, expired and deleted share links', async () => {
  const { link } = await createLink()
  const revoked = await send('PATCH', `/share-links/${link.id}`, { is_active: false })
  assert.equal(revoked.body.data.is_active, false)
  assert.equal((await sendPublic('GET', link.url)).body.code, 'share_link.revoked')
  assert.equal((await sendPublic('POST', `${link.url}/downloads`, {})).status, 410)
  await send('PATCH', `/share-links/${link.id}`, { is_active: true })
  await service.deps.db
    .updateTable('share_links')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', link.id)
    .execute()
  assert.equal((await sendPublic('GET', link.url)).body.code, 'share_link.expired')
  assert.equal((await send('DELETE', `/share-links/${link.id}`)).status, 200)
  assert.equal((await sendPublic('GET', link.url)).status, 404)
  assert.equal((await auditEntry(service, link.id)).action, 'share_link.deleted')
})

test('allows downloads of any build in a shared release by ID but rejects other builds', async () => {
  const [a, b] = [await uploadedBuild(service, tenant), await uploadedBuild(service, tenant)]
  const unrelated = await uploadedBuild(service, tenant)
  const release = await send('POST', `/applications/${tenant.applicationId}/releases`, {
    title: 'Both',
    notes: '# Both',
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
    build_ids: [a.build.id, b.build.id],
  })
  const path = `/applications/${tenant.applicationId}/releases/${release.body.data.id}/share-links`
  const { url } = (await send('POST', path, {})).body.data
  assert.equal((await send('GET', path)).body.data.length, 1)
  const { data } = (await sendPublic('GET', url)).body
  assert.deepEqual([data.title, data.notes, data.builds.length], ['Both', '# Both', 2])
  const download = (build_id?: string) => sendPublic('POST', `${url}/downloads`, { build_id })
  assert.equal((await download(b.build.id)).status, 200)
  assert.equal((await download()).status, 422)
  assert.equal((await download(unrelated.build.id)).status, 404)
})

for (const [flaw, fields, field] of [
  ['an empty password', { password: '' }, 'password'],
  ['a password of 73 characters', { password: 'x'.repeat(73) }, 'password'],
  ['a download limit of 0', { max_downloads: 0 }, 'max_downloads'],
  ['an expiration date in the past', { expires_at: '2020-01-01' }, 'expires_at'],
  ['an expiration date more than 100 years in the future', { expires_at: '9999-12-31' }, 'expires_at'],
  ['a string value for is_active', { is_active: 'no' }, 'is_active'],
] as const) {
  test(`rejects a share link with ${flaw}`, async () => {
    const { build } = await uploadedBuild(service, tenant)
    const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
    const response = await send('POST', path, fields)
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors)
  })
}
