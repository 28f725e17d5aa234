import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import { workspaceScopes } from '../../http/endpoint/scopes.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

type Person = { id: string; session: string }

async function person(workspaceRole: string): Promise<Person> {
  const id = await insertMember(service, tenant, { workspaceRole })
  return { id, session: await service.signIn(id) }
}

async function create(key: string, path: string, body: object) {
  const response = await service.call('POST', path, { key, body })
  assert.equal(response.status, 201, response.text)
  return response.body.data
}

const createKey = (key: string, scopes: readonly string[] = workspaceScopes) =>
  create(key, '/workspace/api-keys', { name: 'a key', scopes }) as Promise<{
    id: string
    key: string
    created_by: string
  }>

/** Calls that grant or revoke the owner role. */
const ownerChanges = (owner: string, admin: string): [string, string, object?][] => [
  ['PATCH', `/workspace/members/${admin}`, { role: 'owner' }],
  ['PATCH', `/workspace/members/${owner}`, { role: 'admin' }],
  ['DELETE', `/workspace/members/${owner}`],
  ['POST', '/workspace/invitations', { email: 'owner@example.com', role: 'owner' }],
]

test('lets admins grant every role except owner, also through the keys that they create', async () => {
  const [owner, admin] = [await person('owner'), await person('admin')]
  const key = await createKey(admin.session)
  const child = await createKey(key.key)
  assert.deepEqual([key.created_by, child.created_by], [admin.id, key.id])
  for (const caller of [admin.session, key.key, child.key]) {
    for (const [method, path, body] of ownerChanges(owner.id, admin.id)) {
      const response = await service.call(method, path, { key: caller, body })
      assert.deepEqual([response.status, response.body.code], [403, 'member.owner_required'], path)
    }
    const { id } = await person('member')
    for (const role of ['admin', 'member']) {
      const path = `/workspace/members/${id}`
      assert.equal((await service.call('PATCH', path, { key: caller, body: { role } })).status, 200)
    }
  }
})

test('lets owners grant the owner role through their keys until they are no longer owners', async () => {
  const [owner, other] = [await person('owner'), await person('member')]
  const { key } = await createKey(owner.session)
  const path = `/workspace/members/${other.id}`
  assert.equal((await service.call('PATCH', path, { key, body: { role: 'owner' } })).status, 200)
  const demotion = { key: other.session, body: { role: 'admin' } }
  assert.equal((await service.call('PATCH', `/workspace/members/${owner.id}`, demotion)).status, 200)
  await until('loss of the authority', async () => {
    const { body } = await service.call('PATCH', path, { key, body: { role: 'owner' } })
    return body.code === 'member.owner_required' ? true : undefined
  })
  assert.equal((await service.call('GET', '/workspace/api-keys', { key })).status, 200)
})

for (const [change, method, body] of [
  ['removed from the workspace', 'DELETE', undefined],
  ['made a member', 'PATCH', { role: 'member' }],
] as const)
  test(`revokes the keys, trusted publishers and invitations of an admin who is ${change}`, async () => {
    const [owner, admin] = [await person('owner'), await person('admin')]
    const { key } = await createKey(admin.session)
    const child = await createKey(key)
    const kept = await createKey(owner.session)
    const rule = await create(child.key, `/applications/${tenant.applicationId}/trusted-publishers`, {
      name: 'Rule',
      issuer: 'https://issuer.example.com',
      claims: { project: 'a' },
      scopes: ['builds:write'],
    })
    const email = `${admin.id}.again@example.com`
    const { id: invitationId } = await create(admin.session, '/workspace/invitations', {
      email,
      role: 'admin',
    })
    const response = await service.call(method, `/workspace/members/${admin.id}`, {
      key: owner.session,
      body,
    })
    assert.match(
      response.body.message,
      / Revoked what the member created: 2 API keys, 1 trusted publisher, 1 open invitation\.$/,
    )
    const { db } = service.deps
    const revoked = await db
      .selectFrom('api_keys')
      .select('id')
      .where('user_id', '=', admin.id)
      .where('revoked_at', 'is', null)
      .execute()
    assert.deepEqual(revoked, [])
    const path = `/applications/${tenant.applicationId}/trusted-publishers/${rule.id}`
    assert.equal((await service.call('GET', path, { key: owner.session })).status, 404)
    const { body: listed } = await service.call('GET', '/workspace/invitations?per_page=100', {
      key: owner.session,
    })
    const invitation = listed.data.find((each: { id: string }) => each.id === invitationId)
    assert.equal(invitation.status, 'revoked')
    assert.equal((await service.call('GET', '/workspace/labels', { key: kept.key })).status, 200)
    await until('rejection of the key', async () =>
      (await service.call('GET', '/workspace/labels', { key: child.key })).status === 401 ? true : undefined,
    )
  })

test('rejects a key whose creator was removed without revoking it', async () => {
  const admin = await person('admin')
  const { key } = await createKey(admin.session)
  await service.deps.db.deleteFrom('workspace_members').where('user_id', '=', admin.id).execute()
  assert.equal((await service.call('GET', '/workspace/labels', { key })).status, 401)
})

test('shows the secrets in the outbox to owners but not to admins', async () => {
  const [owner, admin] = [await person('owner'), await person('admin')]
  const invite = (session: string, role: string) =>
    create(session, '/workspace/invitations', { email: `${role}.${admin.id}@example.com`, role })
  const { token } = await invite(owner.session, 'owner')
  const textOf = async (key: string) =>
    (await service.call('GET', '/workspace/outbox?per_page=100', { key })).text
  assert.ok((await textOf(owner.session)).includes(token))
  for (const key of [admin.session, (await createKey(admin.session)).key])
    assert.ok(!(await textOf(key)).includes(token))
  assert.ok((await invite(admin.session, 'member')).token !== null)
})

test('shows members only the invitations and audit entries of the applications that they can access', async () => {
  const owner = await person('owner')
  const other = await create(owner.session, '/applications', { name: 'Other' })
  const id = await insertMember(service, tenant, { applicationRole: 'admin', name: 'Mia' })
  const key = await service.signIn(id)
  const email = `elsewhere.${id}@example.com`
  await create(owner.session, '/workspace/invitations', { email, role: 'qa', application_id: other.id })
  const invitations = await service.call('GET', '/workspace/invitations?per_page=100', { key })
  assert.ok(!invitations.text.includes(email))
  const created = await create(key, `/applications/${tenant.applicationId}/labels`, { name: 'mine' })
  await create(owner.session, `/applications/${other.id}/labels`, { name: 'theirs' })
  const { body } = await service.call('GET', '/workspace/audit-log?sort=desc&per_page=100', { key })
  const entries = body.data as { application_id: string | null; subject: { id: string }; actor: object }[]
  assert.ok(entries.every((entry) => [null, tenant.applicationId].includes(entry.application_id)))
  const own = entries.find(({ subject }) => subject.id === created.id)
  assert.deepEqual(own?.actor, { kind: 'user', id, name: 'Mia' })
  const filtered = await service.call('GET', `/workspace/audit-log?application=${other.id}`, { key })
  assert.equal(filtered.status, 422)
})
