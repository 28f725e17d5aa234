import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { avatarUrl } from '../avatars/avatar.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('returns the scopes of an owner and no list of applications', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'owner', name: 'Olga' })
  const { status, body } = await service.call('GET', '/session', { key: await service.signIn(id) })
  assert.equal(status, 200)
  const { user, workspace, workspaces, role, scopes, applications, two_factor_enabled } = body.data
  assert.deepEqual(user, {
    id,
    name: 'Olga',
    email: `${id}@example.com`,
    profile_photo_url: avatarUrl(service.url, 'Olga'),
    email_verified: false,
  })
  const own = { id: tenant.workspaceId, name: `Workspace ${tenant.workspaceId}`, logo_url: null }
  assert.deepEqual([workspace, workspaces], [own, [{ ...own, role: 'owner' }]])
  assert.deepEqual([role, applications, two_factor_enabled], ['owner', null, false])
  assert.ok(scopes.includes('workspace:write') && scopes.includes('api_keys:write'))
})

test('returns the role and scopes of a member in each application except those in the trash', async () => {
  const other = await service.call('POST', '/applications', {
    key: tenant.workspaceKey,
    body: { name: 'Trashed' },
  })
  const id = await insertMember(service, tenant, { applicationRole: 'qa' })
  const path = `/applications/${other.body.data.id}`
  await service.call('POST', `${path}/members`, {
    key: tenant.workspaceKey,
    body: { user_id: id, role: 'admin' },
  })
  await service.call('DELETE', path, { key: tenant.workspaceKey })
  const { body } = await service.call('GET', '/session', { key: await service.signIn(id) })
  const { role, scopes, applications } = body.data
  assert.deepEqual([role, scopes.toSorted()], ['member', ['members:read', 'workspace:read']])
  assert.deepEqual(
    applications.map((each: { id: string; role: string }) => [each.id, each.role]),
    [[tenant.applicationId, 'qa']],
  )
  assert.ok(
    applications[0].scopes.includes('builds:write') && !applications[0].scopes.includes('releases:create'),
  )
})

test('switches between the workspaces of the user at once', async () => {
  const other = await service.tenant()
  const id = await insertMember(service, tenant, { workspaceRole: 'admin' })
  await service.deps.db
    .insertInto('workspace_members')
    .values({ workspace_id: other.workspaceId, user_id: id, name: 'Ada', role: 'member' })
    .execute()
  const key = await service.signIn(id)
  const put = (workspaceId: string) =>
    service.call('PUT', '/session/workspace', { key, body: { workspace_id: workspaceId } })
  const current = async () => (await service.call('GET', '/session', { key })).body.data
  assert.equal((await current()).workspace.id, tenant.workspaceId)
  assert.equal((await put(other.workspaceId)).status, 200)
  const { workspace, workspaces, role } = await current()
  assert.deepEqual([workspace.id, workspaces.length, role], [other.workspaceId, 2, 'member'])
  const stranger = await service.tenant()
  assert.equal((await put(stranger.workspaceId)).status, 404)
})

test('records the user who downloads a build in the console', async () => {
  const id = await insertMember(service, tenant, { applicationRole: 'readonly' })
  const { build } = await uploadedBuild(service, tenant)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  const key = await service.signIn(id)
  assert.equal((await service.call('GET', `${path}/download`, { key })).status, 200)
  const [download] = (await service.call('GET', `${path}/downloads`, { key })).body.data
  assert.deepEqual([download.channel, download.user_id, download.api_key], ['console', id, null])
})

test('applies an idempotency key separately in each workspace of the user', async () => {
  const other = await service.tenant()
  const id = await insertMember(service, tenant, { workspaceRole: 'admin' })
  await service.deps.db
    .insertInto('workspace_members')
    .values({ workspace_id: other.workspaceId, user_id: id, name: 'Ada', role: 'admin' })
    .execute()
  const body = { name: 'The same name' }
  const headers = { 'idempotency-key': id }
  const created = []
  for (const workspaceId of [tenant.workspaceId, other.workspaceId]) {
    const key = await service.signIn(id, workspaceId)
    created.push((await service.call('POST', '/applications', { key, body, headers })).body.data)
  }
  assert.deepEqual(
    created.map(({ workspace_id }) => workspace_id),
    [tenant.workspaceId, other.workspaceId],
  )
})

test('rejects API keys', async () => {
  for (const key of [tenant.workspaceKey, tenant.applicationKey]) {
    const { status, body } = await service.call('GET', '/session', { key })
    assert.deepEqual([status, body.code], [403, 'key.not_allowed'])
  }
})

test('ignores the session cookie of a request with an Authorization header', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const cookie = await service.signIn(id)
  for (const authorization of ['', 'Bearer x', 'Basic x']) {
    const headers = { cookie, authorization }
    assert.equal((await service.call('GET', '/session', { key: null, headers })).status, 401, authorization)
  }
})

test('rejects a user who belongs to no workspace', async () => {
  const id = await insertMember(service, tenant)
  const key = await service.signIn(id)
  await service.deps.db.deleteFrom('workspace_members').where('user_id', '=', id).execute()
  const { status, body } = await service.call('GET', '/session', { key })
  assert.deepEqual([status, body.code], [403, 'session.no_workspace'])
})
