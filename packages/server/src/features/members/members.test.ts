import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { avatarUrl } from '../avatars/avatar.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (of: Tenant, method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: of.workspaceKey, body })

const namesIn = (response: { body: { data: { name: string }[] } }) =>
  response.body.data.map(({ name }) => name)

/** Creates an owner (Zoe), an admin (Bob), an application member with role qa (Ada) and a plain member (Eve). */
async function createTeam() {
  const of = await service.tenant()
  return {
    of,
    zoe: await insertMember(service, of, {
      name: 'Zoe',
      email: `a.${of.workspaceId}@example.com`,
      workspaceRole: 'owner',
    }),
    bob: await insertMember(service, of, {
      name: 'Bob',
      email: `b.${of.workspaceId}@example.com`,
      workspaceRole: 'admin',
    }),
    ada: await insertMember(service, of, {
      name: 'Ada',
      email: `z.${of.workspaceId}@example.com`,
      applicationRole: 'qa',
    }),
    eve: await insertMember(service, of, { name: 'eve', email: `e.${of.workspaceId}@example.com` }),
  }
}

test('lists, sorts, searches and paginates workspace members', async () => {
  const { of, zoe } = await createTeam()
  const list = (query = '') => send(of, 'GET', `/workspace/members${query}`)
  const { status, body } = await list()
  assert.equal(status, 200)
  assert.deepEqual(namesIn({ body }), ['Ada', 'Bob', 'eve', 'Zoe'])
  assert.equal(body.pagination.per_page, 15)
  const { added_at, ...fields } = body.data[3]
  assert.match(added_at, /\.\d{6}Z$/)
  assert.deepEqual(fields, {
    id: zoe,
    name: 'Zoe',
    email: `a.${of.workspaceId}@example.com`,
    profile_photo_url: avatarUrl(service.url, 'Zoe'),
    role: 'owner',
  })
  assert.deepEqual(namesIn(await list('?sort=desc')), ['Zoe', 'eve', 'Bob', 'Ada'])
  assert.equal(namesIn(await list('?sort_by=email'))[0], 'Zoe')
  assert.equal(namesIn(await list('?sort_by=role'))[0], 'Bob')
  assert.deepEqual(namesIn(await list(`?search=Z.${of.workspaceId.toUpperCase()}`)), ['Ada'])
  assert.deepEqual(namesIn(await list('?search=%25')), [])
  const page = await list('?per_page=3&page=2')
  assert.deepEqual(namesIn(page), ['Zoe'])
  assert.equal(page.body.pagination.total, 4)
  assert.equal((await list('?sort_by=id')).status, 422)
})

test('lists the members of an application, including those with inherited roles', async () => {
  const { of, ada } = await createTeam()
  const list = (query = '') => send(of, 'GET', `/applications/${of.applicationId}/members${query}`)
  const { body } = await list()
  assert.deepEqual(
    body.data.map((m: Record<string, string>) => [m['name'], m['role'], m['resolved_role']]),
    [
      ['Ada', 'qa', 'qa'],
      ['Bob', 'admin', 'admin'],
      ['Zoe', 'owner', 'admin'],
    ],
  )
  assert.deepEqual(Object.keys(body.data[0]).toSorted(), [
    'email',
    'id',
    'name',
    'profile_photo_url',
    'resolved_role',
    'role',
    'source',
    'teams',
  ])
  assert.equal(body.data[0].id, ada)
  assert.equal(body.pagination.per_page, 15)
  assert.equal(namesIn(await list('?sort_by=resolved_role&sort=desc'))[0], 'Ada')
  assert.deepEqual(namesIn(await list('?sort_by=email')).at(-1), 'Ada')
  assert.deepEqual(namesIn(await list('?search=bo')), ['Bob'])
  assert.equal((await list(`?search=${'x'.repeat(51)}`)).status, 422)
})

test('adds, updates and removes an application member and returns 409 for a duplicate', async () => {
  const { of, eve } = await createTeam()
  const path = `/applications/${of.applicationId}/members`
  const added = await send(of, 'POST', path, { user_id: eve, role: 'developer' })
  assert.equal(added.status, 201)
  assert.deepEqual([added.body.data.role, added.body.data.resolved_role], ['developer', 'developer'])
  assert.equal((await auditEntry(service, eve)).action, 'application_member.created')
  const duplicate = await send(of, 'POST', path, { user_id: eve, role: 'qa' })
  assert.deepEqual([duplicate.status, duplicate.body.code], [409, 'member.exists'])

  const changed = await service.call('PATCH', `${path}/${eve}`, {
    key: of.applicationKey,
    body: { role: 'readonly' },
  })
  assert.deepEqual([changed.status, changed.body.data.role], [200, 'readonly'])
  const entry = await auditEntry(service, eve)
  assert.deepEqual(
    [(entry.before as { role: string }).role, (entry.after as { role: string }).role],
    ['developer', 'readonly'],
  )
  assert.equal((await send(of, 'PATCH', `${path}/${eve}`, { role: 'owner' })).status, 422)
  assert.equal((await send(of, 'DELETE', `${path}/${eve}`)).status, 200)
  assert.equal((await send(of, 'DELETE', `${path}/${eve}`)).status, 404)
})

test('refuses to change or remove an inherited role through an application endpoint', async () => {
  const { of, zoe } = await createTeam()
  const path = `/applications/${of.applicationId}/members/${zoe}`
  for (const { status, body } of [
    await send(of, 'PATCH', path, { role: 'qa' }),
    await send(of, 'DELETE', path),
  ])
    assert.deepEqual([status, body.code], [409, 'member.inherited'])
})

test('returns 403 when an application key is used to add a member', async () => {
  const { of, eve } = await createTeam()
  const path = `/applications/${of.applicationId}/members`
  const body = { user_id: eve, role: 'qa' }
  assert.equal((await service.call('POST', path, { key: of.applicationKey, body })).status, 403)
})

test('changes the role of a workspace member but refuses to demote or remove the last owner', async () => {
  const { of, zoe, bob } = await createTeam()
  const path = (id: string) => `/workspace/members/${id}`
  for (const response of [
    await send(of, 'PATCH', path(zoe), { role: 'admin' }),
    await send(of, 'DELETE', path(zoe)),
  ]) {
    assert.equal(response.status, 409)
    assert.equal(response.body.code, 'member.last_owner')
  }
  const promoted = await send(of, 'PATCH', path(bob), { role: 'owner' })
  assert.deepEqual([promoted.status, promoted.body.data.role], [200, 'owner'])
  const entry = await auditEntry(service, bob)
  assert.deepEqual([entry.action, (entry.before as { role: string }).role], ['member.updated', 'admin'])
  assert.equal((await send(of, 'DELETE', path(zoe))).status, 200)
  assert.equal((await send(of, 'GET', `/users/${zoe}`)).status, 404)
})

test('keeps one owner when the last two owners are removed concurrently', async () => {
  for (let round = 0; round < 5; round++) {
    const of = await service.tenant()
    const owners = [
      await insertMember(service, of, { workspaceRole: 'owner' }),
      await insertMember(service, of, { workspaceRole: 'owner' }),
    ]
    const responses = await Promise.all(owners.map((id) => send(of, 'DELETE', `/workspace/members/${id}`)))
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
  }
})

test('removes a member from every application when the member is removed from the workspace', async () => {
  const { of, ada } = await createTeam()
  assert.equal((await send(of, 'DELETE', `/workspace/members/${ada}`)).status, 200)
  assert.deepEqual(namesIn(await send(of, 'GET', `/applications/${of.applicationId}/members`)), [
    'Bob',
    'Zoe',
  ])
})

test('lets an application key read users in its workspace and hides them from other workspaces', async () => {
  const { of, ada } = await createTeam()
  const { body } = await service.call('GET', `/users/${ada}`, { key: of.applicationKey })
  assert.deepEqual(body.data, {
    id: ada,
    name: 'Ada',
    email: `z.${of.workspaceId}@example.com`,
    profile_photo_url: avatarUrl(service.url, 'Ada'),
  })
  const other = await service.tenant()
  assert.equal((await send(other, 'GET', `/users/${ada}`)).status, 404)
})
