import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const invite = (body: Record<string, unknown>) =>
  service.call('POST', '/workspace/invitations', { key: tenant.workspaceKey, body })
const accept = (token: string, name = 'Grace') =>
  service.call('POST', `/invitations/${token}/accept`, { key: null, body: { name } })
const revoke = (id: string) =>
  service.call('DELETE', `/workspace/invitations/${id}`, { key: tenant.workspaceKey })

test('accepts an invitation without an API key and audits its creation and acceptance', async () => {
  const created = await invite({ email: 'Grace@Example.com', role: 'admin' })
  assert.equal(created.status, 201)
  const { id, token, url, status, email } = created.body.data
  assert.deepEqual([status, email], ['open', 'grace@example.com'])
  assert.equal(url, `${service.url}/invitations/${token}`)
  assert.equal((await auditEntry(service, id)).action, 'invitation.created')
  const { text_body } = await service.deps.db
    .selectFrom('mails')
    .select('text_body')
    .where('recipient', '=', 'grace@example.com')
    .executeTakeFirstOrThrow()
  assert.ok(text_body.includes(url))

  const accepted = await accept(token, ' Grace Hopper ')
  assert.equal(accepted.status, 200)
  const { role, name, id: userId } = accepted.body.data
  assert.deepEqual([role, name], ['admin', 'Grace Hopper'])
  const members = await service.call('GET', '/workspace/members?search=grace', { key: tenant.workspaceKey })
  assert.deepEqual(members.body.data, [accepted.body.data])
  const entry = await auditEntry(service, id)
  assert.deepEqual([entry.action, entry.actor_kind, entry.actor_id], ['invitation.accepted', 'user', userId])

  const again = await accept(token)
  assert.deepEqual([again.status, again.body.code], [410, 'invitation.gone'])
  assert.equal((await revoke(id)).body.code, 'invitation.accepted')
  assert.equal((await invite({ email: 'GRACE@example.com', role: 'member' })).body.code, 'member.exists')
})

test('stores only a hash of the invitation token and omits the token from lists', async () => {
  const { token, id } = (await invite({ email: 'hash@example.com', role: 'member' })).body.data
  const row = await service.deps.db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const stored = JSON.stringify({ ...row, token_sha256: row.token_sha256.toString('latin1') })
  assert.equal(stored.includes(token), false)
  const list = await service.call('GET', '/workspace/invitations?per_page=100', { key: tenant.workspaceKey })
  assert.equal(list.text.includes(token), false)
  assert.ok(list.body.data.some((invitation: { id: string }) => invitation.id === id))
})

test('adds an invitee to the workspace with the application role specified in the invitation', async () => {
  const body = { email: 'linus@example.com', role: 'developer', application_id: tenant.applicationId }
  const { token } = (await invite(body)).body.data
  assert.equal((await accept(token, 'Linus')).body.data.role, 'member')
  const path = `/applications/${tenant.applicationId}/members?search=linus`
  const { data } = (await service.call('GET', path, { key: tenant.applicationKey })).body
  assert.deepEqual([data[0].role, data[0].resolved_role], ['developer', 'developer'])
  assert.equal((await invite(body)).body.code, 'member.exists')
})

test('rejects an invitation with an invalid role or email address', async () => {
  for (const body of [
    { email: 'x@example.com', role: 'qa' },
    { email: 'x@example.com', role: 'owner', application_id: tenant.applicationId },
    { email: 'x@example.com', role: 'boss' },
  ]) {
    const response = await invite(body)
    assert.equal(response.status, 422)
    assert.ok('role' in response.body.errors)
  }
  for (const email of [
    '',
    'x',
    '@x',
    'x@',
    'a b@c',
    'a@b\r\nBcc: c@d',
    'a@b@c',
    `${'x'.repeat(250)}@example.com`,
  ]) {
    const response = await invite({ email, role: 'member' })
    assert.equal(response.status, 422, email)
    assert.ok('email' in response.body.errors)
  }
})

test('rejects a second invitation to the same address until the first one is revoked', async () => {
  const invitation = { email: 'twice@example.com', role: 'member' }
  const first = (await invite(invitation)).body.data
  assert.equal((await invite(invitation)).body.code, 'invitation.exists')
  assert.equal((await revoke(first.id)).status, 200)
  assert.equal((await revoke(first.id)).status, 200)
  assert.equal((await auditEntry(service, first.id)).action, 'invitation.revoked')
  assert.equal((await accept(first.token)).status, 410)
  assert.equal((await invite(invitation)).status, 201)
})

test('creates only one invitation when ten concurrent requests invite the same address', async () => {
  const invitation = { email: 'race@example.com', role: 'member' }
  const responses = await Promise.all(Array.from({ length: 10 }, () => invite(invitation)))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409)])
})

test('returns 410 for the token of an expired invitation and allows a new invitation', async () => {
  const invitation = { email: 'late@example.com', role: 'member' }
  const { id, token } = (await invite(invitation)).body.data
  const expired = { expires_at: '2026-01-01T00:00:00Z' }
  await service.deps.db.updateTable('invitations').set(expired).where('id', '=', id).execute()
  assert.equal((await accept(token)).status, 410)
  assert.equal((await invite(invitation)).status, 201)
})

test('accepts an invitation only once when ten clients submit its token concurrently', async () => {
  const { token } = (await invite({ email: 'once@example.com', role: 'member' })).body.data
  const responses = await Promise.all(Array.from({ length: 10 }, () => accept(token)))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array<number>(9).fill(410)])
})

test('adds an existing user to the workspace under the name provided when accepting the invitation', async () => {
  const id = await insertMember(service, await service.tenant(), {
    name: 'Known',
    email: 'known@example.com',
  })
  const { token } = (await invite({ email: 'KNOWN@example.com', role: 'member' })).body.data
  const { body, text } = await accept(token, 'Other name')
  assert.deepEqual([body.data.id, body.data.name], [id, 'Other name'])
  assert.ok(!text.includes('Known'))
})

test('returns 404 for an unknown invitation token and 422 for a missing name', async () => {
  assert.equal((await accept('qsi_nothing')).status, 404)
  const { token } = (await invite({ email: 'noname@example.com', role: 'member' })).body.data
  const response = await service.call('POST', `/invitations/${token}/accept`, { key: null, body: {} })
  assert.equal(response.status, 422)
})

describe('an invitation to the workspace with applications', () => {
  const createApplication = async (name: string): Promise<string> =>
    (
      await service.call('POST', '/applications', {
        key: tenant.workspaceKey,
        body: { name, platforms: ['linux'] },
      })
    ).body.data.id
  const rolesOf = async (userId: string) =>
    service.deps.db
      .selectFrom('application_members')
      .select(['application_id', 'role'])
      .where('user_id', '=', userId)
      .orderBy('role')
      .execute()

  test('gives the member a role in each of them', async () => {
    const second = await createApplication('Second')
    const applications = [
      { application_id: tenant.applicationId, role: 'developer' },
      { application_id: second, role: 'readonly' },
    ]
    const created = await invite({ email: 'several@example.com', role: 'member', applications })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body.data.applications, applications)
    const { token } = created.body.data
    const page = await service.call('GET', `/invitations/${token}`, { key: null })
    assert.deepEqual(page.body.data.applications.map(({ role }: { role: string }) => role).toSorted(), [
      'developer',
      'readonly',
    ])
    const { id, role } = (await accept(token)).body.data
    assert.equal(role, 'member')
    assert.deepEqual(await rolesOf(id), applications)
  })

  test('leaves out applications that were deleted before it is accepted', async () => {
    const deleted = await createApplication('Deleted')
    const applications = [deleted, tenant.applicationId].map((id) => ({ application_id: id, role: 'qa' }))
    const { token } = (await invite({ email: 'deleted@example.com', role: 'member', applications })).body.data
    await service.call('DELETE', `/applications/${deleted}`, { key: tenant.workspaceKey })
    const { id } = (await accept(token)).body.data
    assert.deepEqual(await rolesOf(id), [{ application_id: tenant.applicationId, role: 'qa' }])
  })

  test('is possible for a member who is not in any of them', async () => {
    const email = 'already@example.com'
    const id = await insertMember(service, tenant, { email })
    const applications = [{ application_id: tenant.applicationId, role: 'qa' }]
    assert.equal((await invite({ email, role: 'member' })).body.code, 'member.exists')
    const { token } = (await invite({ email, role: 'member', applications })).body.data
    await accept(token)
    assert.equal((await rolesOf(id)).length, 1)
    assert.equal((await invite({ email, role: 'member', applications })).body.code, 'member.exists')
  })

  test('is rejected with applications of another workspace, another role, or a list that repeats one', async () => {
    const other = await service.tenant()
    const own = { application_id: tenant.applicationId, role: 'qa' }
    for (const [body, field] of [
      [{ applications: [{ ...own, application_id: other.applicationId }] }, 'applications.0.application_id'],
      [{ applications: [own, own] }, 'applications.1.application_id'],
      [{ applications: [{ ...own, role: 'owner' }] }, 'applications.0.role'],
      [{ role: 'admin', applications: [own] }, 'applications'],
      [{ role: 'qa', application_id: own.application_id, applications: [own] }, 'applications'],
    ] as const) {
      const response = await invite({ email: 'rejected@example.com', role: 'member', ...body })
      assert.equal(response.status, 422)
      assert.ok(field in response.body.errors, response.text)
    }
  })

  test('shows a member only the applications that the member can access', async () => {
    const hidden = await createApplication('Hidden')
    const applications = [hidden, tenant.applicationId].map((id) => ({ application_id: id, role: 'qa' }))
    const { id } = (await invite({ email: 'seen@example.com', role: 'member', applications })).body.data
    const viewer = await insertMember(service, tenant, { applicationRole: 'readonly' })
    const cookie = await service.signIn(viewer, tenant.workspaceId)
    const list = await service.call('GET', '/workspace/invitations?per_page=100', { key: cookie })
    const seen = list.body.data.find((each: { id: string }) => each.id === id)
    assert.deepEqual(seen.applications, [{ application_id: tenant.applicationId, role: 'qa' }])
  })
})
