import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { person } from '../../../test/people.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (of: Tenant, method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: of.workspaceKey, body })

const namesIn = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name)

/** Owner Zoe and admin Bob of the workspace, member Ada who is qa of the application, member Eve who is not in it. */
async function team() {
  const of = await service.tenant()
  return {
    of,
    zoe: await person(service, of, {
      name: 'Zoe',
      email: `a.${of.workspaceId}@example.com`,
      workspaceRole: 'owner',
    }),
    bob: await person(service, of, {
      name: 'Bob',
      email: `b.${of.workspaceId}@example.com`,
      workspaceRole: 'admin',
    }),
    ada: await person(service, of, {
      name: 'Ada',
      email: `z.${of.workspaceId}@example.com`,
      applicationRole: 'qa',
    }),
    eve: await person(service, of, { name: 'eve', email: `e.${of.workspaceId}@example.com` }),
  }
}

test('members of the workspace, their fields, sorts, search and pages', async () => {
  const { of, zoe } = await team()
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
    profile_photo_url: null,
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

test('contract 2.3: members of an application, with those who are in it by their role in the workspace', async () => {
  const { of, ada } = await team()
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
  ])
  assert.equal(body.data[0].id, ada)
  assert.equal(body.pagination.per_page, 15)
  assert.equal(namesIn(await list('?sort_by=resolved_role&sort=desc'))[0], 'Ada')
  assert.deepEqual(namesIn(await list('?sort_by=email')).at(-1), 'Ada')
  assert.deepEqual(namesIn(await list('?search=bo')), ['Bob'])
  assert.equal((await list(`?search=${'x'.repeat(51)}`)).status, 422)
})

test('an application member added, changed and removed; once more, 409', async () => {
  const { of, eve } = await team()
  const path = `/applications/${of.applicationId}/members`
  const added = await send(of, 'POST', path, { user_id: eve, role: 'developer' })
  assert.equal(added.status, 201)
  assert.deepEqual([added.body.data.role, added.body.data.resolved_role], ['developer', 'developer'])
  assert.equal((await auditEntry(service, eve)).action, 'application_member.created')
  const again = await send(of, 'POST', path, { user_id: eve, role: 'qa' })
  assert.deepEqual([again.status, again.body.code], [409, 'member.exists'])

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

test('an owner in an application by the role in the workspace, not to be changed there', async () => {
  const { of, zoe } = await team()
  const path = `/applications/${of.applicationId}/members/${zoe}`
  assert.equal((await send(of, 'PATCH', path, { role: 'qa' })).body.code, 'member.inherited')
  assert.equal((await send(of, 'DELETE', path)).status, 409)
})

test('an application key, adding members is out of its reach', async () => {
  const { of, eve } = await team()
  const path = `/applications/${of.applicationId}/members`
  const body = { user_id: eve, role: 'qa' }
  assert.equal((await service.call('POST', path, { key: of.applicationKey, body })).status, 403)
})

test('a role in the workspace changed; the last owner can neither be changed nor leave', async () => {
  const { of, zoe, bob } = await team()
  const path = (id: string) => `/workspace/members/${id}`
  for (const answer of [
    await send(of, 'PATCH', path(zoe), { role: 'admin' }),
    await send(of, 'DELETE', path(zoe)),
  ]) {
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'member.last_owner')
  }
  const promoted = await send(of, 'PATCH', path(bob), { role: 'owner' })
  assert.deepEqual([promoted.status, promoted.body.data.role], [200, 'owner'])
  const entry = await auditEntry(service, bob)
  assert.deepEqual([entry.action, (entry.before as { role: string }).role], ['member.updated', 'admin'])
  assert.equal((await send(of, 'DELETE', path(zoe))).status, 200)
  assert.equal((await send(of, 'GET', `/users/${zoe}`)).status, 404)
})

test('two owners who leave at once, one of them stays', async () => {
  for (let round = 0; round < 5; round++) {
    const of = await service.tenant()
    const owners = [
      await person(service, of, { workspaceRole: 'owner' }),
      await person(service, of, { workspaceRole: 'owner' }),
    ]
    const answers = await Promise.all(owners.map((id) => send(of, 'DELETE', `/workspace/members/${id}`)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
  }
})

test('who leaves the workspace, leaves its applications', async () => {
  const { of, ada } = await team()
  assert.equal((await send(of, 'DELETE', `/workspace/members/${ada}`)).status, 200)
  assert.deepEqual(namesIn(await send(of, 'GET', `/applications/${of.applicationId}/members`)), [
    'Bob',
    'Zoe',
  ])
})

test('a person, by id for every key of the workspace, 404 for others', async () => {
  const { of, ada } = await team()
  const { body } = await service.call('GET', `/users/${ada}`, { key: of.applicationKey })
  assert.deepEqual(body.data, {
    id: ada,
    name: 'Ada',
    email: `z.${of.workspaceId}@example.com`,
    profile_photo_url: null,
  })
  const stranger = await service.tenant()
  assert.equal((await send(stranger, 'GET', `/users/${ada}`)).status, 404)
})
