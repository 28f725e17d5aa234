import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { person } from '../../../test/people.ts'

let service: Service
let of: Tenant

before(async () => {
  service = await startService()
  of = await service.tenant()
})
after(() => service.close())

const invite = (body: Record<string, unknown>) =>
  service.call('POST', '/workspace/invitations', { key: of.workspaceKey, body })
const accept = (token: string, name = 'Grace') =>
  service.call('POST', `/invitations/${token}/accept`, { key: null, body: { name } })
const takeBack = (id: string) =>
  service.call('DELETE', `/workspace/invitations/${id}`, { key: of.workspaceKey })

test('an invitation made and accepted without a key, the person is a member and both writes are in the audit log', async () => {
  const made = await invite({ email: 'Grace@Example.com', role: 'admin' })
  assert.equal(made.status, 201)
  const { id, token, url, status, email } = made.body.data
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
  const members = await service.call('GET', '/workspace/members?search=grace', { key: of.workspaceKey })
  assert.deepEqual(members.body.data, [accepted.body.data])
  const entry = await auditEntry(service, id)
  assert.deepEqual([entry.action, entry.actor_kind, entry.actor_id], ['invitation.accepted', 'user', userId])

  const again = await accept(token)
  assert.deepEqual([again.status, again.body.code], [410, 'invitation.gone'])
  assert.equal((await takeBack(id)).body.code, 'invitation.accepted')
  assert.equal((await invite({ email: 'GRACE@example.com', role: 'member' })).body.code, 'member.exists')
})

test('the token is kept as a hash alone and lists never show it', async () => {
  const { token, id } = (await invite({ email: 'hash@example.com', role: 'member' })).body.data
  const row = await service.deps.db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(
    JSON.stringify({ ...row, token_sha256: row.token_sha256.toString('latin1') }).includes(token),
    false,
  )
  const list = await service.call('GET', '/workspace/invitations?per_page=100', { key: of.workspaceKey })
  assert.equal(list.text.includes(token), false)
  assert.ok(list.body.data.some((invitation: { id: string }) => invitation.id === id))
})

test('an invitation to one application, the person is a member of the workspace and has the role there', async () => {
  const body = { email: 'linus@example.com', role: 'developer', application_id: of.applicationId }
  const { token } = (await invite(body)).body.data
  assert.equal((await accept(token, 'Linus')).body.data.role, 'member')
  const path = `/applications/${of.applicationId}/members?search=linus`
  const { data } = (await service.call('GET', path, { key: of.applicationKey })).body
  assert.deepEqual([data[0].role, data[0].resolved_role], ['developer', 'developer'])
  assert.equal((await invite(body)).body.code, 'member.exists')
})

test('a role that is none there, 422; an address that is none, 422', async () => {
  for (const body of [
    { email: 'x@example.com', role: 'qa' },
    { email: 'x@example.com', role: 'owner', application_id: of.applicationId },
    { email: 'x@example.com', role: 'boss' },
  ]) {
    const answer = await invite(body)
    assert.equal(answer.status, 422)
    assert.ok('role' in answer.body.errors)
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
    const answer = await invite({ email, role: 'member' })
    assert.equal(answer.status, 422, email)
    assert.ok('email' in answer.body.errors)
  }
})

test('the same person invited twice, 409 until the first is taken back, whose token is refused', async () => {
  const wish = { email: 'twice@example.com', role: 'member' }
  const first = (await invite(wish)).body.data
  assert.equal((await invite(wish)).body.code, 'invitation.exists')
  assert.equal((await takeBack(first.id)).status, 200)
  assert.equal((await takeBack(first.id)).status, 200)
  assert.equal((await auditEntry(service, first.id)).action, 'invitation.revoked')
  assert.equal((await accept(first.token)).status, 410)
  assert.equal((await invite(wish)).status, 201)
})

test('ten invitations of one person at once, one is made and the others get 409', async () => {
  const wish = { email: 'race@example.com', role: 'member' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => invite(wish)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409)])
})

test('an expired invitation, 410 and a new one takes its place', async () => {
  const wish = { email: 'late@example.com', role: 'member' }
  const { id, token } = (await invite(wish)).body.data
  const then = { expires_at: '2026-01-01T00:00:00Z' }
  await service.deps.db.updateTable('invitations').set(then).where('id', '=', id).execute()
  assert.equal((await accept(token)).status, 410)
  assert.equal((await invite(wish)).status, 201)
})

test('a token accepted ten times at once, one person and one member', async () => {
  const { token } = (await invite({ email: 'once@example.com', role: 'member' })).body.data
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array<number>(9).fill(410)])
})

test('a person who is in another workspace already, the same person in both', async () => {
  const id = await person(service, await service.tenant(), { name: 'Known', email: 'known@example.com' })
  const { token } = (await invite({ email: 'KNOWN@example.com', role: 'member' })).body.data
  const { data } = (await accept(token, 'Other name')).body
  assert.deepEqual([data.id, data.name], [id, 'Known'])
})

test('a token that is none, 404; without a name, 422', async () => {
  assert.equal((await accept('qsi_nothing')).status, 404)
  const { token } = (await invite({ email: 'noname@example.com', role: 'member' })).body.data
  const answer = await service.call('POST', `/invitations/${token}/accept`, { key: null, body: {} })
  assert.equal(answer.status, 422)
})
