import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../../http/endpoint/scopes.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const without = (scopes: readonly Scope[], ...removed: Scope[]) =>
  scopes.filter((scope) => !removed.includes(scope))

async function person(role: string, applicationRole?: string) {
  const fields = applicationRole === undefined ? {} : { applicationRole }
  return insertMember(service, tenant, { workspaceRole: role, ...fields })
}

test('allows only keys with all workspace scopes to grant or revoke the owner and admin roles', async () => {
  const limited = [
    await service.key(tenant.workspaceId, null, ['members:write']),
    await service.key(tenant.workspaceId, null, without(workspaceScopes, 'api_keys:write')),
  ]
  const [owner, admin, member] = [await person('owner'), await person('admin'), await person('member')]
  await person('owner')
  const calls: [method: string, path: string, body?: object][] = [
    ['PATCH', `/workspace/members/${member}`, { role: 'owner' }],
    ['PATCH', `/workspace/members/${member}`, { role: 'admin' }],
    ['PATCH', `/workspace/members/${owner}`, { role: 'member' }],
    ['PATCH', `/workspace/members/${admin}`, { role: 'member' }],
    ['DELETE', `/workspace/members/${owner}`],
    ['DELETE', `/workspace/members/${admin}`],
    ['POST', '/workspace/invitations', { email: 'new-owner@example.com', role: 'owner' }],
    ['POST', '/workspace/invitations', { email: 'new-admin@example.com', role: 'admin' }],
  ]
  for (const key of limited)
    for (const [method, path, body] of calls) {
      const response = await service.call(method, path, { key, body })
      assert.deepEqual([response.status, response.body.code], [403, 'member.full_key_required'], path)
    }
  const [key] = limited
  const plain = { email: 'plain@example.com', role: 'member' }
  assert.equal((await service.call('POST', '/workspace/invitations', { key: key!, body: plain })).status, 201)
  assert.equal((await service.call('DELETE', `/workspace/members/${member}`, { key: key! })).status, 200)
  for (const [method, path, body] of calls.slice(2)) {
    const { status, text } = await service.call(method, path, { key: tenant.workspaceKey, body })
    assert.ok(status === 200 || status === 201, text)
  }
})

test('allows only keys with all application scopes to grant or revoke the application admin role', async () => {
  const { workspaceId, applicationId } = tenant
  const limited: [string, string][] = [
    ['application', await service.key(workspaceId, applicationId, ['members:write', 'application:write'])],
    ['workspace', await service.key(workspaceId, null, ['applications:write', 'members:write'])],
  ]
  const [admin, tester] = [await person('member', 'admin'), await person('member', 'qa')]
  const path = (id: string) => `/applications/${applicationId}/members/${id}`
  for (const [kind, key] of limited) {
    const refused = [
      await service.call('PATCH', path(tester), { key, body: { role: 'admin' } }),
      await service.call('PATCH', path(admin), { key, body: { role: 'qa' } }),
      await service.call('DELETE', path(admin), { key }),
    ]
    const invitation = { email: `${kind}@example.com`, role: 'admin', application_id: applicationId }
    const membership = { user_id: await person('member'), role: 'admin' }
    if (kind === 'workspace')
      refused.push(
        await service.call('POST', '/workspace/invitations', { key, body: invitation }),
        await service.call('POST', `/applications/${applicationId}/members`, { key, body: membership }),
      )
    for (const { status, body } of refused)
      assert.deepEqual([status, body.code], [403, 'member.full_key_required'], kind)
    assert.equal(
      (await service.call('PATCH', path(tester), { key, body: { role: 'developer' } })).status,
      200,
    )
  }
  for (const key of [
    await service.key(workspaceId, applicationId, applicationScopes),
    await service.key(workspaceId, null, without(workspaceScopes, 'api_keys:write', 'portals:write')),
  ]) {
    const body = { role: 'admin' }
    assert.equal((await service.call('PATCH', path(tester), { key, body })).status, 200)
    assert.equal((await service.call('PATCH', path(tester), { key, body: { role: 'qa' } })).status, 200)
  }
})

test('limits the lifetime of an invitation to that of the key that creates it', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const body = { name: 'Short', scopes: ['members:write'], expires_at }
  const { key } = (await service.call('POST', '/workspace/api-keys', { key: tenant.workspaceKey, body })).body
    .data
  const invite = async (email: string, by: string) =>
    (await service.call('POST', '/workspace/invitations', { key: by, body: { email, role: 'member' } })).body
      .data
  assert.equal((await invite('short@example.com', key)).expires_at, expires_at.replace('Z', '000Z'))
  const lasting = Date.parse((await invite('long@example.com', tenant.workspaceKey)).expires_at)
  assert.ok(lasting > Date.now() + 6 * 24 * 3_600_000)
})

test('hides the email address of a user from keys without the `members:read` scope', async () => {
  const id = await person('member')
  for (const [applicationId, scopes, isShown] of [
    [null, ['builds:write'], false],
    [null, ['members:read'], true],
    [tenant.applicationId, ['application:write'], false],
    [tenant.applicationId, ['members:read'], true],
  ] as [string | null, Scope[], boolean][]) {
    const key = await service.key(tenant.workspaceId, applicationId, scopes)
    const { data } = (await service.call('GET', `/users/${id}`, { key })).body
    assert.deepEqual([data.id, data.email], [id, isShown ? `${id}@example.com` : null])
  }
})
