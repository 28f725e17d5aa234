import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

const send = (method: string, path = '', body?: unknown) =>
  service.call(method, `/distribution-groups${path}`, { key: tenant.workspaceKey, body })

let groupCount = 0

async function createGroup(fields: object = {}): Promise<string> {
  const { body, status, text } = await send('POST', '', { name: `Group ${(groupCount += 1)}`, ...fields })
  assert.equal(status, 201, text)
  return body.data.id
}

const emailsOf = (body: { data: { email: string }[] }) => body.data.map(({ email }) => email)

test('adds members case-insensitively and returns every requested member, including existing members', async () => {
  const id = await createGroup()
  const first = await send('POST', `/${id}/members`, { emails: ['Ada@Example.com', 'bea@example.com'] })
  assert.equal(first.status, 201)
  assert.deepEqual(
    [first.body.added_count, emailsOf(first.body)],
    [2, ['ada@example.com', 'bea@example.com']],
  )
  const emails = ['ADA@example.com', 'cleo@example.com', 'Cleo@example.com']
  const second = await send('POST', `/${id}/members`, { emails })
  assert.deepEqual(
    [second.body.added_count, emailsOf(second.body)],
    [1, ['ada@example.com', 'cleo@example.com']],
  )
  assert.equal(second.body.data[0].id, first.body.data[0].id)
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'distribution_group.members_added')
  assert.deepEqual((entry.after as { added: string[] }).added, ['cleo@example.com'])
  const { has_testers, tester_count } = (await send('GET', `/${id}`)).body.data
  assert.deepEqual([has_testers, tester_count], [true, 3])
})

test('ignores case when adding or removing a non-ASCII email address', async () => {
  const id = await createGroup()
  const added = await send('POST', `/${id}/members`, {
    emails: ['JÜRGEN@bücher.example', 'jürgen@BÜCHER.example'],
  })
  assert.deepEqual([added.body.added_count, emailsOf(added.body)], [1, ['jürgen@bücher.example']])
  const removed = await send('POST', `/${id}/members/remove`, { emails: ['Jürgen@Bücher.example'] })
  assert.equal(removed.body.removed_count, 1)
})

test('adds each member only once when 20 concurrent requests contain the same email addresses', async () => {
  const id = await createGroup()
  const emails = Array.from({ length: 50 }, (_, i) => `p${i}@example.com`)
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      send('POST', `/${id}/members`, { emails: i % 2 === 0 ? emails : emails.toReversed() }),
    ),
  )
  assert.ok(responses.every(({ status }) => status === 201))
  assert.equal(
    responses.reduce((sum, { body }) => sum + (body.added_count as number), 0),
    50,
  )
  assert.equal((await send('GET', `/${id}/members`)).body.pagination.total, 50)
})

test('searches, sorts and paginates members', async () => {
  const id = await createGroup()
  for (const email of ['b@example.com', 'a_1@example.com', 'c@example.org'])
    await send('POST', `/${id}/members`, { emails: [email] })
  const list = async (query: string) => emailsOf((await send('GET', `/${id}/members?${query}`)).body)
  assert.deepEqual(await list(''), ['a_1@example.com', 'b@example.com', 'c@example.org'])
  assert.deepEqual(await list('sort_by=added_at&sort=desc'), [
    'c@example.org',
    'a_1@example.com',
    'b@example.com',
  ])
  assert.deepEqual(await list('search=A_1'), ['a_1@example.com'])
  assert.deepEqual(await list('search=EXAMPLE.ORG'), ['c@example.org'])
  assert.deepEqual(await list('per_page=1&page=2'), ['b@example.com'])
})

test('removes members by ID or email address and ignores unknown email addresses', async () => {
  const id = await createGroup()
  const emails = ['a@example.com', 'b@example.com', 'c@example.com']
  const { data } = (await send('POST', `/${id}/members`, { emails })).body
  assert.equal((await send('DELETE', `/${id}/members/${data[0].id}`)).status, 200)
  assert.equal((await send('DELETE', `/${id}/members/${data[0].id}`)).status, 404)
  const removed = (await auditEntry(service, id)).after as { removed: string[] }
  assert.deepEqual(removed.removed, ['a@example.com'])
  const other = await createGroup()
  assert.equal((await send('DELETE', `/${other}/members/${data[1].id}`)).status, 404)
  const many = await send('POST', `/${id}/members/remove`, {
    emails: ['B@example.com', 'nobody@example.com'],
  })
  assert.deepEqual([many.status, many.body.removed_count], [200, 1])
  assert.deepEqual(emailsOf((await send('GET', `/${id}/members`)).body), ['c@example.com'])
  assert.equal((await auditEntry(service, id)).action, 'distribution_group.members_removed')
})

test('accepts 1000 email addresses per request and rejects 1001', async () => {
  const id = await createGroup()
  const emails = Array.from({ length: 1000 }, (_, i) => `p${i}@example.com`)
  assert.equal((await send('POST', `/${id}/members`, { emails })).body.added_count, 1000)
  const more = await send('POST', `/${id}/members`, { emails: [...emails, 'more@example.com'] })
  assert.equal(more.status, 422)
  assert.ok('emails' in more.body.errors)
})

for (const [problem, invalid] of [
  ['is empty', ''],
  ['has no at sign', 'x'],
  ['has no domain', 'a@'],
  ['has no local part', '@b'],
  ['contains a space', 'a b@x.org'],
  ['contains a comma', 'a@x.org,b@x.org'],
  ['contains a line break', 'a@x.org\nBcc: b@x.org'],
  ['is in angle brackets', '<a@x.org>'],
] as const) {
  test(`adds no members if one of the email addresses ${problem}`, async () => {
    const id = await createGroup()
    const response = await send('POST', `/${id}/members`, { emails: ['valid@example.com', invalid] })
    assert.equal(response.status, 422)
    assert.deepEqual(Object.keys(response.body.errors), ['emails.1'])
    assert.equal((await send('GET', `/${id}`)).body.data.tester_count, 0)
  })
}

test('rejects a new member when the group is full', async () => {
  const id = await createGroup()
  for (let call = 0; call < 10; call++) {
    const emails = Array.from({ length: 1000 }, (_, i) => `p${call * 1000 + i}@example.com`)
    assert.equal((await send('POST', `/${id}/members`, { emails })).status, 201)
  }
  const again = await send('POST', `/${id}/members`, { emails: ['p1@example.com'] })
  assert.deepEqual([again.status, again.body.added_count], [201, 0])
  const more = await send('POST', `/${id}/members`, { emails: ['more@example.com'] })
  assert.deepEqual([more.status, more.body.code], [409, 'distribution_group.full'])
  assert.equal((await send('GET', `/${id}`)).body.data.tester_count, 10_000)
})

test('accepts only workspace members as members of an internal group', async () => {
  const email = 'Insider@example.com'
  await insertMember(service, tenant, { email })
  await insertMember(service, await service.tenant(), { email: 'elsewhere@example.com' })
  const id = await createGroup({ type: 'internal' })
  assert.equal((await send('POST', `/${id}/members`, { emails: [email.toLowerCase()] })).status, 201)
  const mixed = await send('POST', `/${id}/members`, { emails: [email, 'elsewhere@example.com'] })
  assert.equal(mixed.status, 422)
  assert.deepEqual(Object.keys(mixed.body.errors), ['emails.1'])
  assert.equal((await send('GET', `/${id}`)).body.data.tester_count, 1)
})

test('refuses to make a group internal while it has members from outside the workspace', async () => {
  const id = await createGroup()
  await send('POST', `/${id}/members`, { emails: ['stranger@example.com'] })
  const refused = await send('PATCH', `/${id}`, { type: 'internal' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'distribution_group.outsiders'])
  await send('POST', `/${id}/members/remove`, { emails: ['stranger@example.com'] })
  assert.equal((await send('PATCH', `/${id}`, { type: 'internal' })).body.data.type, 'internal')
})
