import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path = '', body?: unknown, caller = tenant) =>
  service.call(method, `/distribution-groups${path}`, { key: caller.workspaceKey, body })

let groupCount = 0

async function createGroup(fields: object = {}, caller = tenant) {
  const group = { name: `Group ${(groupCount += 1)}`, ...fields }
  const { status, body, text } = await send('POST', '', group, caller)
  assert.equal(status, 201, text)
  return body.data
}

test('creates an active external group without an icon by default and records an audit entry', async () => {
  const { id, created_at, updated_at, ...rest } = await createGroup({ name: ' Testers ' })
  assert.deepEqual(rest, {
    name: 'Testers',
    description: null,
    is_active: true,
    type: 'external',
    digest: 'none',
    feedback_enabled: false,
    icon_type: 'none',
    icon_emoji_code: null,
    icon_set_value: null,
    has_testers: false,
    tester_count: 0,
  })
  assert.equal(created_at, updated_at)
  const read = (await send('GET', `/${id}`)).body.data
  assert.deepEqual(read, { id, created_at, updated_at, ...rest })
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'distribution_group.created')
  assert.equal((entry.after as { name: string }).name, 'Testers')
})

test('hides a group from other workspaces and lets them use the same group name', async () => {
  const other = await service.tenant()
  const { id } = await createGroup({ name: 'Here and there' })
  assert.equal((await send('GET', `/${id}`, undefined, other)).status, 404)
  assert.equal((await send('GET', '', undefined, other)).body.pagination.total, 0)
  await createGroup({ name: 'Here and there' }, other)
})

test('rejects an application key with an error that names the missing scope', async () => {
  const response = await service.call('GET', '/distribution-groups', { key: tenant.applicationKey })
  assert.equal(response.status, 403)
  assert.equal(response.body.message, "This action requires 'distribution_groups:read' scope.")
})

test('creates only one group when ten concurrent requests use names that differ only in case', async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) => send('POST', '', { name: i % 2 === 0 ? 'One Name' : 'ONE NAME' })),
  )
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array<number>(9).fill(409)],
  )
  const { id } = await createGroup()
  const renamed = await send('PATCH', `/${id}`, { name: 'one name' })
  assert.equal(renamed.body.code, 'distribution_group.name_taken')
})

test('updates only the submitted fields of a group and records its old and new state in the audit log', async () => {
  const { id } = await createGroup({ description: 'words' })
  const { body } = await send('PATCH', `/${id}`, { name: ' Other ', is_active: false })
  const { name, description, is_active } = body.data
  assert.deepEqual([name, description, is_active], ['Other', 'words', false])
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'distribution_group.updated')
  assert.deepEqual(
    [(entry.before as { is_active: boolean }).is_active, (entry.after as { is_active: boolean }).is_active],
    [true, false],
  )
})

test('clears the icon value of the previous type when the icon type changes', async () => {
  const { id, ...icon } = await createGroup({ icon_type: 'emoji', icon_emoji_code: '1f680' })
  assert.deepEqual([icon.icon_emoji_code, icon.icon_set_value], ['1f680', null])
  const other = (await send('PATCH', `/${id}`, { icon_emoji_code: '🚀' })).body.data
  assert.deepEqual([other.icon_type, other.icon_emoji_code], ['emoji', '🚀'])
  const set = (await send('PATCH', `/${id}`, { icon_type: 'fa', icon_set_value: 'fa-solid fa-rocket' })).body
    .data
  assert.deepEqual([set.icon_emoji_code, set.icon_set_value], [null, 'fa-solid fa-rocket'])
  const renamed = (await send('PATCH', `/${id}`, { name: 'With an icon' })).body.data
  assert.equal(renamed.icon_set_value, 'fa-solid fa-rocket')
  const none = (await send('PATCH', `/${id}`, { icon_type: 'none' })).body.data
  assert.deepEqual([none.icon_type, none.icon_emoji_code, none.icon_set_value], ['none', null, null])
})

for (const [problem, fields, field] of [
  ['a blank name', { name: ' ' }, 'name'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
  ['an unknown group type', { type: 'email' }, 'type'],
  ['an is_active value that is not a boolean', { is_active: 'yes' }, 'is_active'],
  ['an unknown icon type', { icon_type: 'svg' }, 'icon_type'],
  ['an emoji icon without an emoji', { icon_type: 'emoji' }, 'icon_emoji_code'],
  ['an emoji icon with an empty emoji', { icon_type: 'emoji', icon_emoji_code: '' }, 'icon_emoji_code'],
  ['a Font Awesome icon without a name', { icon_type: 'fa' }, 'icon_set_value'],
  [
    'a Font Awesome icon with quotation marks in its name',
    { icon_type: 'fa', icon_set_value: 'x" onclick="' },
    'icon_set_value',
  ],
  [
    'an emoji for a Font Awesome icon',
    { icon_type: 'fa', icon_set_value: 'rocket', icon_emoji_code: '1f680' },
    'icon_emoji_code',
  ],
  ['an icon name without an icon type', { icon_set_value: 'rocket' }, 'icon_set_value'],
] as const) {
  test(`rejects ${problem} in create and update requests`, async () => {
    const { id } = await createGroup()
    const responses = [
      await send('POST', '', { name: 'Wrong', ...fields }),
      await send('PATCH', `/${id}`, fields),
    ]
    for (const { status, body } of responses) {
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(body.errors), [field])
    }
  })
}

test('searches, sorts and paginates groups', async () => {
  const own = await service.tenant()
  for (const [name, description] of [
    ['beta', 'the brave'],
    ['Alpha', '100 % _sure_'],
    ['gamma', 'none'],
  ])
    await createGroup({ name, description }, own)
  const names = async (query: string) =>
    (await send('GET', `?${query}`, undefined, own)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(''), ['Alpha', 'beta', 'gamma'])
  assert.deepEqual(await names('sort=desc'), ['gamma', 'beta', 'Alpha'])
  assert.deepEqual(await names('sort_by=created_at'), ['beta', 'Alpha', 'gamma'])
  assert.deepEqual(await names('search=BRAVE'), ['beta'])
  assert.deepEqual(await names('search=%25'), ['Alpha'])
  assert.deepEqual(await names('search=_sure_'), ['Alpha'])
  assert.deepEqual(await names('per_page=2&page=2'), ['gamma'])
  const beyond = (await send('GET', '?per_page=2&page=3', undefined, own)).body
  assert.deepEqual([beyond.data, beyond.pagination.total, beyond.pagination.from], [[], 3, null])
  assert.equal((await send('GET', `?search=${'x'.repeat(101)}`)).status, 422)
  assert.equal((await send('GET', '?sort_by=tester_count')).status, 422)
})

test('deletes a group along with its members and makes the group name available again', async () => {
  const { id, name } = await createGroup()
  await send('POST', `/${id}/members`, { emails: ['ada@example.com'] })
  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  assert.equal((await send('GET', `/${id}`)).status, 404)
  assert.equal((await send('GET', `/${id}/members`)).status, 404)
  const entry = await auditEntry(service, id)
  assert.deepEqual(
    [entry.action, (entry.before as { tester_count: number }).tester_count],
    ['distribution_group.deleted', 1],
  )
  await createGroup({ name })
})
