import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { insertMember, insertTeam } from '../../../../test/people.ts'
import { until } from '../../../../test/until.ts'
import { applicationScopes } from '../../../http/endpoint/scopes.ts'
import { dropAccessRequests } from './delete-old-access-requests.job.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const pathOf = ({ applicationId }: Pick<Tenant, 'applicationId'>) =>
  `/applications/${applicationId}/access-requests`
const membersOf = ({ applicationId }: Tenant) => `/applications/${applicationId}/members`
const send = (key: string, method: string, path: string, body?: object) =>
  service.call(method, path, { key, ...(body === undefined ? {} : { body }) })
const ask = (session: string, application_id: string, message?: string) =>
  send(session, 'POST', '/workspace/access-requests', { application_id, ...(message && { message }) })

async function person(tenant: Tenant, fields: Parameters<typeof insertMember>[2] = {}) {
  const id = await insertMember(service, tenant, fields)
  return { id, session: await service.signIn(id, tenant.workspaceId) }
}

async function openRequests(tenant: Tenant, key = tenant.workspaceKey) {
  const response = await send(key, 'GET', pathOf(tenant))
  assert.equal(response.status, 200, response.text)
  return response.body.data as { id: string; user: { id: string }; message: string | null }[]
}

/** Waits until every request that was sent has been made or ignored. */
const settled = () =>
  until('all requests are made or ignored', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pgboss.job
      where name = 'access-requests.add' and state not in ('completed', 'failed')`.execute(service.deps.db)
    return rows[0]?.count === 0
  })

/** Lets a new member request access and returns the member with the ID of the request. */
async function requester(tenant: Tenant) {
  const asking = await person(tenant, { name: 'Ada' })
  assert.equal((await ask(asking.session, tenant.applicationId, ' Please ')).status, 202)
  await settled()
  const request = (await openRequests(tenant)).find(({ user }) => user.id === asking.id)
  assert.ok(request)
  return { ...asking, requestId: request.id, path: `${pathOf(tenant)}/${request.id}` }
}

const kindsOf = async (session: string) =>
  (await send(session, 'GET', '/notifications')).body.data.map(
    ({ kind, title }: { kind: string; title: string }) => `${kind}: ${title}`,
  )

describe('requests for access', () => {
  test('get the same response for existing, missing, foreign and deleted applications', async () => {
    const tenant = await service.tenant()
    const foreign = await service.tenant()
    const trashed = await service.tenant()
    await send(trashed.workspaceKey, 'DELETE', `/applications/${trashed.applicationId}`)
    const { session } = await person(tenant)
    const seen = new Set<string>()
    for (const id of [
      tenant.applicationId,
      foreign.applicationId,
      trashed.applicationId,
      'missing',
      '\'"%',
    ]) {
      const { status, text, headers } = await ask(session, id, 'Hello')
      const names = [...headers].map(([name]) => name).join(' ')
      seen.add(`${status} ${text} ${names}`)
    }
    await ask(session, tenant.applicationId)
    await settled()
    assert.equal(seen.size, 1, [...seen].join('\n'))
    assert.match([...seen].join(''), /^202 /)
    const rows = await service.deps.db
      .selectFrom('access_requests')
      .select(['application_id', 'message'])
      .where('workspace_id', 'in', [tenant.workspaceId, foreign.workspaceId, trashed.workspaceId])
      .execute()
    assert.deepEqual(rows, [{ application_id: tenant.applicationId, message: 'Hello' }])
  })

  test('are not made by people who can open the application, nor by API keys', async () => {
    const tenant = await service.tenant()
    const owner = await person(tenant, { workspaceRole: 'owner' })
    const reader = await person(tenant, { applicationRole: 'readonly' })
    const inTeam = await person(tenant)
    await insertTeam(service, tenant, { members: [inTeam.id], role: 'qa' })
    for (const { session } of [owner, reader, inTeam])
      assert.equal((await ask(session, tenant.applicationId)).status, 202)
    await settled()
    assert.deepEqual(await openRequests(tenant), [])
    for (const key of [tenant.workspaceKey, tenant.applicationKey])
      assert.equal((await ask(key, tenant.applicationId)).body.code, 'key.not_allowed')
  })

  test('are limited to ten an hour, whether or not the applications exist', async () => {
    const tenant = await service.tenant()
    const { session } = await person(tenant)
    for (let n = 0; n < 10; n++) assert.equal((await ask(session, `missing-${n}`)).status, 202)
    for (const id of [tenant.applicationId, 'missing'])
      assert.equal((await ask(session, id)).body.code, 'access_request.too_many')
    const { session: other } = await person(tenant)
    assert.equal((await ask(other, tenant.applicationId)).status, 202)
    assert.equal((await ask(other, tenant.applicationId, 'x'.repeat(501))).status, 422)
  })

  test('notify the admins, who see them with the message and are the only ones who do', async () => {
    const tenant = await service.tenant()
    const owner = await person(tenant, { workspaceRole: 'owner' })
    const admin = await person(tenant, { applicationRole: 'admin' })
    const developer = await person(tenant, { applicationRole: 'developer' })
    const { id, requestId, session, path } = await requester(tenant)
    for (const { session: key } of [owner, admin]) {
      const [request] = await openRequests(tenant, key)
      assert.deepEqual([request?.id, request?.user.id, request?.message], [requestId, id, 'Please'])
      assert.match((await kindsOf(key)).join(), /^access_request: Ada requests access to App/)
      const { body } = await send(key, 'GET', '/workspace/attention')
      const item = body.data.find(({ kind }: { kind: string }) => kind === 'access_requested')
      assert.deepEqual([item.application.id, item.count], [tenant.applicationId, 1])
    }
    for (const [key, status] of [
      [developer.session, 403],
      [session, 404],
    ] as const) {
      assert.equal((await send(key, 'GET', pathOf(tenant))).status, status)
      for (const [method, action] of [
        ['POST', '/approve'],
        ['POST', '/restore'],
        ['DELETE', ''],
      ] as const)
        assert.equal((await send(key, method, `${path}${action}`, {})).status, status)
      const { body } = await send(key, 'GET', '/workspace/attention')
      assert.equal(
        body.data.some(({ kind }: { kind: string }) => kind === 'access_requested'),
        false,
      )
    }
    assert.deepEqual(await kindsOf(developer.session), [])
    const foreign = await service.tenant()
    assert.equal((await send(foreign.workspaceKey, 'DELETE', path)).status, 404)
    const elsewhere = `${pathOf(foreign)}/${requestId}`
    assert.equal((await send(foreign.workspaceKey, 'DELETE', elsewhere)).status, 404)
  })

  test('give the lowest role or the chosen one when approved, and notify the person', async () => {
    const tenant = await service.tenant()
    const admin = await person(tenant, { name: 'Grace', applicationRole: 'admin' })
    const { id, session, path, requestId } = await requester(tenant)
    const { status, body } = await send(admin.session, 'POST', `${path}/approve`, {})
    assert.deepEqual(
      [status, body.data.id, body.data.role, body.data.source],
      [200, id, 'readonly', 'application'],
    )
    assert.equal((await auditEntry(service, requestId)).action, 'access_request.approved')
    assert.equal((await auditEntry(service, id)).action, 'application_member.created')
    assert.deepEqual(await openRequests(tenant), [])
    await until(
      'the person can open the application',
      async () => (await send(session, 'GET', `/applications/${tenant.applicationId}`)).status === 200,
    )
    assert.deepEqual(await kindsOf(session), [
      `access_granted: Grace gave you access to App ${tenant.workspaceId}`,
    ])
    assert.equal(
      (await send(admin.session, 'POST', `${path}/approve`, {})).body.code,
      'access_request.closed',
    )
    const second = await requester(tenant)
    const granted = await send(admin.session, 'POST', `${second.path}/approve`, { role: 'admin' })
    assert.equal(granted.body.data.role, 'admin')
  })

  test('cannot be approved with the admin role by callers without every application scope', async () => {
    const tenant = await service.tenant()
    const { workspaceId, applicationId } = tenant
    const { path } = await requester(tenant)
    const limited = await service.key(workspaceId, applicationId, ['members:write', 'application:write'])
    const refused = await send(limited, 'POST', `${path}/approve`, { role: 'admin' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'member.full_key_required'])
    assert.equal((await openRequests(tenant)).length, 1)
    const full = await service.key(workspaceId, applicationId, applicationScopes)
    assert.equal((await send(full, 'POST', `${path}/approve`, { role: 'admin' })).status, 200)
  })

  test('can be declined, restored and made again, without a notification of the person', async () => {
    const tenant = await service.tenant()
    const { session, path, requestId } = await requester(tenant)
    const { workspaceKey: key } = tenant
    assert.equal((await send(key, 'POST', `${path}/restore`)).body.code, 'access_request.not_restorable')
    assert.equal((await send(key, 'DELETE', path)).status, 200)
    assert.equal((await auditEntry(service, requestId)).action, 'access_request.declined')
    assert.equal((await send(key, 'DELETE', path)).body.code, 'access_request.closed')
    assert.deepEqual(await openRequests(tenant), [])
    assert.deepEqual(await kindsOf(session), [])
    assert.equal((await send(key, 'POST', `${path}/restore`)).body.data.message, 'Please')
    assert.equal((await openRequests(tenant)).length, 1)
    await send(key, 'DELETE', path)
    await ask(session, tenant.applicationId, 'Again')
    await settled()
    const [again, ...others] = await openRequests(tenant)
    assert.deepEqual([again?.message, others.length], ['Again', 0])
    assert.notEqual(again?.id, requestId)
    assert.equal((await send(key, 'DELETE', path)).status, 404)
  })

  test('are open again after an approval was taken back', async () => {
    const tenant = await service.tenant()
    const { workspaceKey: key } = tenant
    const { id, path } = await requester(tenant)
    await send(key, 'POST', `${path}/approve`, {})
    assert.equal((await send(key, 'POST', `${path}/restore`)).body.code, 'access_request.not_restorable')
    await send(key, 'DELETE', `${membersOf(tenant)}/${id}`)
    assert.deepEqual(await openRequests(tenant), [])
    assert.equal((await send(key, 'POST', `${path}/restore`)).status, 200)
    assert.equal((await openRequests(tenant)).length, 1)
  })

  test('take effect once if two admins decide at the same time', async () => {
    for (let n = 0; n < 5; n++) {
      const tenant = await service.tenant()
      const { workspaceKey: key } = tenant
      const { id, path } = await requester(tenant)
      const [approved, declined, added] = await Promise.all([
        send(key, 'POST', `${path}/approve`, { role: 'qa' }),
        send(key, 'DELETE', path),
        send(key, 'POST', membersOf(tenant), { user_id: id, role: 'developer' }),
      ])
      for (const { status, text } of [approved, declined]) assert.ok([200, 409].includes(status), text)
      assert.ok([201, 409].includes(added.status), added.text)
      assert.equal([approved.status, added.status].filter((status) => status < 300).length, 1)
      assert.deepEqual(await openRequests(tenant), [])
    }
  })
})

describe('a request for access ends', () => {
  const ends: Record<string, (tenant: Tenant, userId: string) => Promise<unknown>> = {
    'when the person is added to the application': (tenant, userId) =>
      send(tenant.workspaceKey, 'POST', membersOf(tenant), { user_id: userId, role: 'qa' }),
    'when the person joins a team with a role': async (tenant, userId) => {
      const team = await insertTeam(service, tenant, { role: 'qa' })
      return send(tenant.workspaceKey, 'POST', `/workspace/teams/${team}/members`, { user_ids: [userId] })
    },
    'when a team of the person gets a role': async (tenant, userId) => {
      const team = await insertTeam(service, tenant, { members: [userId] })
      const path = `/applications/${tenant.applicationId}/teams/${team}`
      return send(tenant.workspaceKey, 'PUT', path, { role: 'readonly' })
    },
    'when the person becomes an admin of the workspace': (tenant, userId) =>
      send(tenant.workspaceKey, 'PATCH', `/workspace/members/${userId}`, { role: 'admin' }),
    'when the person leaves the workspace': (tenant, userId) =>
      send(tenant.workspaceKey, 'DELETE', `/workspace/members/${userId}`),
    'when the application is deleted': async (tenant) => {
      const path = `/applications/${tenant.applicationId}`
      await send(tenant.workspaceKey, 'DELETE', path)
      return send(tenant.workspaceKey, 'POST', `${path}/restore`)
    },
    'after 30 days': async ({ applicationId }) =>
      service.deps.db
        .updateTable('access_requests')
        .set({ created_at: sql<string>`now() - interval '30 days'` })
        .where('application_id', '=', applicationId)
        .execute(),
  }
  for (const [name, end] of Object.entries(ends))
    test(name, async () => {
      const tenant = await service.tenant()
      const { id } = await requester(tenant)
      await end(tenant, id)
      assert.deepEqual(await openRequests(tenant), [])
      await service.deps.db
        .updateTable('access_requests')
        .set({ closed_at: sql<string>`now() - interval '25 hours'` })
        .where('application_id', '=', tenant.applicationId)
        .where('closed_at', 'is not', null)
        .execute()
      await dropAccessRequests.handle(service.deps, {}, new AbortController().signal)
      const left = await service.deps.db
        .selectFrom('access_requests')
        .select('id')
        .where('application_id', '=', tenant.applicationId)
        .execute()
      assert.deepEqual(left, [])
    })
})
