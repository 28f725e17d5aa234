import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { insertFeedbackOf } from '../../../test/feedback.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let path: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  path = `/applications/${tenant.applicationId}/feedback`
})
after(() => service.close())

const call = (method: string, suffix = '', body?: unknown, key = tenant.workspaceKey) =>
  service.call(method, `${path}${suffix}`, { key, ...(body === undefined ? {} : { body }) })
const idsOf = async (query: string): Promise<string[]> => {
  const { status, body, text } = await call('GET', `?sort=desc&${query}`)
  assert.equal(status, 200, text)
  return body.data.map(({ id }: { id: string }) => id)
}

test('filters feedback by build, state, rating, platform and text', async () => {
  const { build } = await uploadedBuild(service, tenant, {})
  const other = (await uploadedBuild(service, tenant, {})).build
  const { feedback_id: first } = await insertFeedbackOf(service, tenant, build.id)
  const { feedback_id: second } = await insertFeedbackOf(service, tenant, other.id)
  await service.deps.db
    .updateTable('feedback')
    .set({ rating: 5, text: '100% great', device: 'Pixel 8' })
    .where('id', '=', second)
    .execute()
  assert.deepEqual(await idsOf(''), [second, first])
  assert.deepEqual(await idsOf(`build_id=${build.id}`), [first])
  assert.deepEqual(await idsOf('rating=5'), [second])
  assert.deepEqual(await idsOf('platform=linux'), [second, first])
  assert.deepEqual(await idsOf('platform=windows'), [])
  assert.deepEqual(await idsOf('search=100%25'), [second])
  assert.deepEqual(await idsOf('search=pixel'), [second])
  for (const query of ['build_id=nothing', 'platform=nothing', 'state=done', 'rating=6'])
    assert.equal((await call('GET', `?${query}`)).status, 422, query)

  const closed = await call('PATCH', `/${first}`, { state: 'closed' })
  assert.equal(closed.status, 200, closed.text)
  assert.equal(closed.body.data.state, 'closed')
  assert.equal(typeof closed.body.data.closed_by.name, 'string')
  assert.deepEqual(await idsOf('state=open'), [second])
  assert.deepEqual(await idsOf('state=closed'), [first])
  const entry = await auditEntry(service, first)
  assert.equal(entry.action, 'feedback.updated')
  const states = [entry.before, entry.after].map((snapshot) => (snapshot as { state?: string }).state)
  assert.deepEqual(states, ['open', 'closed'])
  const reopened = await call('PATCH', `/${first}`, { state: 'open' })
  assert.deepEqual([reopened.body.data.closed_at, reopened.body.data.closed_by], [null, null])

  await service.call('DELETE', `/applications/${tenant.applicationId}/builds/${other.id}`, {
    key: tenant.workspaceKey,
  })
  assert.deepEqual(await idsOf(''), [first])
  assert.equal((await call('GET', `/${second}`)).status, 404)
})

test('exports CSV that spreadsheets do not run, and JSON', async () => {
  const { build } = await uploadedBuild(service, tenant, {})
  const { feedback_id: id } = await insertFeedbackOf(service, tenant, build.id)
  await service.deps.db
    .updateTable('feedback')
    .set({ text: '=cmd|"/c calc"!A1\nsecond line', name: '+1', device: '@x' })
    .where('id', '=', id)
    .execute()
  const key = tenant.workspaceKey
  const get = async (format: string) => {
    const url = `${service.url}/api/v1${path}/export?build_id=${build.id}&format=${format}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    return { headers: response.headers, text: await response.text() }
  }
  const csv = await get('csv')
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(csv.headers.get('cache-control'), 'private, no-store')
  assert.match(csv.text, /,"'=cmd\|""\/c calc""!A1\nsecond line",'\+1,robin@example\.com,'@x,/)
  const json = await get('json')
  const [entry] = JSON.parse(json.text) as { id: string; email: string }[]
  assert.deepEqual([entry!.id, entry!.email], [id, 'robin@example.com'])
})

test('lets every role read feedback, and only those that edit builds close or delete it', async () => {
  const { build } = await uploadedBuild(service, tenant, {})
  const { feedback_id: id } = await insertFeedbackOf(service, tenant, build.id)
  for (const [role, status] of [
    ['readonly', 403],
    ['qa', 200],
    ['developer', 200],
    ['admin', 200],
    ['outsider', 404],
  ] as const) {
    const userId = await insertMember(service, tenant, {
      applicationRole: role === 'outsider' ? undefined : role,
    })
    const cookie = await service.signIn(userId, tenant.workspaceId)
    const send = (method: string, suffix: string, body?: object) =>
      service.call(method, `${path}${suffix}`, {
        key: null,
        headers: { cookie, origin: service.url },
        ...(body && { body }),
      })
    assert.equal((await send('GET', `/${id}`)).status, role === 'outsider' ? 404 : 200, role)
    assert.equal((await send('PATCH', `/${id}`, { state: 'closed' })).status, status, role)
    const own = await send('PUT', '/subscription', { is_subscribed: true })
    assert.equal(own.status, role === 'outsider' ? 404 : 200, own.text)
    if (role !== 'outsider') assert.equal((await send('GET', '/subscription')).body.data.is_subscribed, true)
  }
  const scopes = ['builds:read'] as const
  const reader = await service.key(tenant.workspaceId, tenant.applicationId, scopes)
  const hidden = await call('GET', `/${id}`, undefined, reader)
  assert.deepEqual([hidden.status, hidden.body.data.email], [200, null])
})
