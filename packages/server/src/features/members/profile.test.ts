import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { images } from '../../inspection/images/image.fixture.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const photo = { content_type: images.png.type, data: images.png.base64 }

test('shows the photo that a user uploads wherever the user appears', async () => {
  const id = await insertMember(service, tenant, { applicationRole: 'qa' })
  const key = await service.signIn(id)
  const get = async (path: string) =>
    (await service.call('GET', path, { key: tenant.workspaceKey })).body.data
  const { status, body } = await service.call('PUT', '/users/me/photo', { key, body: photo })
  assert.equal(status, 200)
  const url = body.data.profile_photo_url as string
  assert.equal((await service.call('GET', '/session', { key })).body.data.user.profile_photo_url, url)
  assert.equal((await get(`/users/${id}`)).profile_photo_url, url)
  for (const path of ['/workspace/members', `/applications/${tenant.applicationId}/members`]) {
    const member = (await get(path)).find((each: { id: string }) => each.id === id)
    assert.equal(member.profile_photo_url, url)
  }
  const image = await fetch(url)
  assert.equal(image.headers.get('content-type'), 'image/png')
  assert.equal(Buffer.from(await image.arrayBuffer()).toString('base64'), photo.data)
  assert.equal((await auditEntry(service, id)).action, 'member.photo_replaced')
  assert.equal((await service.call('DELETE', '/users/me/photo', { key })).status, 200)
  const avatar = (await get(`/users/${id}`)).profile_photo_url as string
  assert.match(avatar, /\/api\/v1\/public\/avatars\/[^/]{1,6}\.[0-7]$/)
})

test('serves initials as an avatar that browsers cache and never run', async () => {
  const id = await insertMember(service, tenant, { applicationRole: 'qa' })
  const key = await service.signIn(id)
  const avatarOf = async (name: string) =>
    (await service.call('PATCH', '/users/me', { key, body: { name } })).body.data.profile_photo_url as string
  const textOf = async (name: string) => (await fetch(await avatarOf(name))).text()
  const response = await fetch(await avatarOf('ada Lovelace King'))
  assert.equal(response.status, 200)
  const header = (name: string) => response.headers.get(name)
  assert.equal(header('content-type'), 'image/svg+xml')
  assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(header('x-content-type-options'), 'nosniff')
  assert.equal(header('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(await response.text(), />AL<\/text>/)
  assert.match(await textOf('Émile 王'), />É王<\/text>/)
  assert.match(await textOf('<script> &amp; 7up'), />7<\/text>/)
  assert.doesNotMatch(await textOf('🙂'), /<text/)
  const base = `${service.url}/api/v1/public/avatars`
  for (const other of ['ABC.1', 'AB.8', 'AB', '%3Csvg%3E.1', '%26.1', 'A%00.1'])
    assert.equal((await fetch(`${base}/${other}`)).status, 404, other)
})

test('rejects profile photos from API keys and data that is not an image', async () => {
  const withKey = await service.call('PUT', '/users/me/photo', { key: tenant.workspaceKey, body: photo })
  assert.equal(withKey.status, 403)
  const key = await service.signIn(await insertMember(service, tenant))
  const text = { ...photo, data: Buffer.from('<svg onload="alert(1)">').toString('base64') }
  const { status, body } = await service.call('PUT', '/users/me/photo', { key, body: text })
  assert.equal(status, 422)
  assert.ok('data' in body.errors)
})

test('changes the name of a user in the workspace of the session only', async () => {
  const other = await service.tenant()
  const id = await insertMember(service, tenant)
  const otherMember = { workspace_id: other.workspaceId, user_id: id, name: 'Elsewhere', role: 'member' }
  await service.deps.db.insertInto('workspace_members').values(otherMember).execute()
  const key = await service.signIn(id, tenant.workspaceId)
  const { status, body } = await service.call('PATCH', '/users/me', {
    key,
    body: { name: '  Zoë Lindqvist ' },
  })
  assert.equal(status, 200)
  assert.equal(body.data.name, 'Zoë Lindqvist')
  const nameIn = async (workspaceKey: string) =>
    (await service.call('GET', `/users/${id}`, { key: workspaceKey })).body.data.name
  assert.equal(await nameIn(tenant.workspaceKey), 'Zoë Lindqvist')
  assert.equal(await nameIn(other.workspaceKey), 'Elsewhere')
  assert.deepEqual((await auditEntry(service, id)).after, { name: 'Zoë Lindqvist' })
})

test('shows a new name in the session that the next request reads', async () => {
  const id = await insertMember(service, tenant, { name: 'Ada' })
  const key = await service.signIn(id)
  const nameOfSession = async () =>
    (await service.call('GET', '/session', { key })).body.data.user.name as string
  assert.equal(await nameOfSession(), 'Ada')
  assert.equal((await service.call('PATCH', '/users/me', { key, body: { name: 'Ada L.' } })).status, 200)
  assert.equal(await nameOfSession(), 'Ada L.')
})
