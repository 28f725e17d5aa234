import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(() => service.close())

const titles = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title)

test('does not send email when a release is added with notify set to false', async () => {
  const { group, release, send, share, mailsTo } = calls
  const id = await group(['quiet@example.com'])
  const releaseId = await release()
  const response = await share(id, releaseId, false)
  assert.deepEqual([response.status, response.body.notified_count], [201, 0])
  const { added_at, ...rest } = response.body.data
  assert.deepEqual(rest, {
    id: releaseId,
    application_id: tenant.applicationId,
    application_name: `App ${tenant.workspaceId}`,
    version: '1.2.3',
    title: 'Big news',
    status: 'published',
    notify: false,
  })
  assert.deepEqual((await send('GET', `/${id}/releases`)).body.data, [response.body.data])
  assert.deepEqual(await mailsTo('quiet@example.com'), [])
  const again = await share(id, releaseId, false)
  assert.deepEqual([again.status, again.body.data.added_at], [201, added_at])
  const entry = await auditEntry(service, id)
  assert.deepEqual(
    [entry.action, entry.application_id],
    ['distribution_group.release_added', tenant.applicationId],
  )
})

test('sends each member one email that names the release, application and group', async () => {
  const { group, release, share, mailsTo } = calls
  const id = await group(['Ada@example.com', 'bea@example.com'], { name: 'The first\nto test' })
  const response = await share(id, await release([], 'One\r\nBcc: evil@example.com'))
  assert.equal(response.body.notified_count, 2)
  const [text = '', ...more] = await mailsTo('ada@example.com')
  assert.deepEqual(more, [])
  assert.match(text, /^One Bcc: evil@example\.com \(App \w+ 1\.2\.3\) is available to you\.$/m)
  assert.match(text, /the group The first to test of Workspace \w+\.$/m)
  const prefix = `${service.url}/api/v1/public/group-links/`
  assert.ok(text.split('\n').some((line) => line.startsWith(prefix)))
  const { body } = await service.call('GET', '/workspace/outbox?sort=desc', { key: tenant.workspaceKey })
  assert.match(body.data[0].subject, /^App \w+ 1\.2\.3: One Bcc: evil@example\.com$/)
  const other = (await mailsTo('bea@example.com'))[0]
  assert.notEqual(other, text)
  const { notified_count } = (await auditEntry(service, id)).after as { notified_count: number }
  assert.equal(notified_count, 2)
})

test('notifies only members who have not yet been notified when a release is added again', async () => {
  const { group, add, release, share, mailsTo, send } = calls
  const id = await group(['early@example.com'])
  const releaseId = await release()
  await share(id, releaseId)
  await add(id, ['late@example.com'])
  assert.equal((await mailsTo('late@example.com')).length, 0)
  assert.equal((await share(id, releaseId)).body.notified_count, 1)
  await send('DELETE', `/${id}/releases/${releaseId}`)
  assert.equal((await share(id, releaseId)).body.notified_count, 0)
  for (const email of ['early@example.com', 'late@example.com'])
    assert.equal((await mailsTo(email)).length, 1, email)
  assert.equal((await share(id, await release())).body.notified_count, 2)
})

test('sends each recipient only one email when a release is added to five groups concurrently', async () => {
  const { group, release, share } = calls
  const emails = Array.from({ length: 200 }, (_, i) => `crowd${i}@example.com`)
  const groups = await Promise.all(
    Array.from({ length: 5 }, (_, i) => group(i % 2 === 0 ? emails : emails.toReversed())),
  )
  const releaseId = await release()
  const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => share(groups[i % 5]!, releaseId)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
  assert.equal(
    responses.reduce((sum, { body }) => sum + (body.notified_count as number), 0),
    200,
  )
  const rows = await service.deps.db
    .selectFrom('mails')
    .select((eb) => ['recipient', eb.fn.countAll<number>().as('count')])
    .where('recipient', 'like', 'crowd%')
    .groupBy('recipient')
    .execute()
  assert.equal(rows.length, 200)
  assert.ok(rows.every(({ count }) => count === 1))
})

test('notifies each recipient only once when groups with common members are notified concurrently', async () => {
  const { group, add, release, share } = calls
  const both = Array.from({ length: 1000 }, (_, i) => `a${i}@larger.example`)
  const [small, large] = [await group(both), await group(both)]
  /** Notifies a group. Repeats the request as the response asks for if it has waited too long for the other one. */
  async function notify(id: string, releaseId: string): Promise<number> {
    const { status, body, text } = await share(id, releaseId)
    if (status === 503) return notify(id, releaseId)
    assert.equal(status, 201, text)
    return body.notified_count
  }
  await add(large, ['z@larger.example'])
  for (let round = 0; round < 3; round++) {
    const releaseId = await release()
    const [fromSmall, fromLarge] = await Promise.all([notify(small, releaseId), notify(large, releaseId)])
    assert.equal(fromSmall + fromLarge, 1001)
  }
  assert.equal((await calls.mailsTo('z@larger.example')).length, 3)
})

test('returns 201 or 404 for requests that add a release to groups while the release is being deleted', async () => {
  const { group, release, share } = calls
  const groups = await Promise.all(Array.from({ length: 8 }, (_, i) => group([`late${i}@example.com`])))
  for (let round = 0; round < 5; round++) {
    const releaseId = await release()
    const path = `/applications/${tenant.applicationId}/releases/${releaseId}`
    const [deleted, ...responses] = await Promise.all([
      service.call('DELETE', path, { key: tenant.workspaceKey }),
      ...groups.map((id) => share(id, releaseId)),
    ])
    assert.equal(deleted.status, 200)
    for (const { status, text } of responses) assert.ok([201, 404].includes(status), text)
  }
})

test('returns the first response again and does not send a second email for a repeated Idempotency-Key', async () => {
  const { group, release } = calls
  const id = await group(['retried@example.com'])
  const body = { release_id: await release(), notify: true }
  const options = { key: tenant.workspaceKey, body, headers: { 'idempotency-key': 'a-retry' } }
  const add = () => service.call('POST', `/distribution-groups/${id}/releases`, options)
  const [first, ...more] = await Promise.all([add(), add(), add()])
  assert.equal(first.body.notified_count, 1)
  for (const { text } of more) assert.equal(text, first.text)
  assert.equal((await calls.mailsTo('retried@example.com')).length, 1)
})

test('notifies each member only once when members are added while notifications are being sent', async () => {
  const { group, add, release, share } = calls
  const id = await group(['race0@example.com'])
  const releaseId = await release()
  const emails = Array.from({ length: 20 }, (_, i) => `race${i}@example.com`)
  await Promise.all(emails.flatMap((email) => [add(id, [email]), share(id, releaseId)]))
  await share(id, releaseId)
  const notified = await service.deps.db
    .selectFrom('mails')
    .select('recipient')
    .where('recipient', 'like', 'race%')
    .execute()
  assert.deepEqual(notified.map(({ recipient }) => recipient).toSorted(), emails.toSorted())
})

test('notifies 10,000 members in a single request', async () => {
  const { group, add, release, share } = calls
  const id = await group([])
  for (let call = 0; call < 10; call++)
    await add(
      id,
      Array.from({ length: 1000 }, (_, i) => `m${call}.${i}@many.example`),
    )
  const response = await share(id, await release())
  assert.equal(response.body.notified_count, 10_000)
  const { count } = await service.deps.db
    .selectFrom('mails')
    .select((eb) => eb.fn.count<number>('recipient').distinct().as('count'))
    .where('recipient', 'like', '%@many.example')
    .executeTakeFirstOrThrow()
  assert.equal(count, 10_000)
})

test('adds a release to an inactive group only if no notification is requested', async () => {
  const { group, release, share, send } = calls
  const id = await group(['off@example.com'], { is_active: false })
  const releaseId = await release()
  const refused = await share(id, releaseId)
  assert.deepEqual([refused.status, refused.body.code], [409, 'distribution_group.inactive'])
  assert.equal((await send('GET', `/${id}/releases`)).body.pagination.total, 0)
  assert.equal((await share(id, releaseId, false)).status, 201)
})

test('does not notify a member of an internal group who has left the workspace', async () => {
  const { group, add, release, share, mailsTo } = calls
  const staying = await insertMember(service, tenant, { email: 'staying@example.com' })
  const leaving = await insertMember(service, tenant, { email: 'leaving@example.com' })
  assert.notEqual(staying, leaving)
  const id = await group([], { type: 'internal' })
  await add(id, ['staying@example.com', 'leaving@example.com'])
  const left = await service.call('DELETE', `/workspace/members/${leaving}`, { key: tenant.workspaceKey })
  assert.equal(left.status, 200, left.text)
  assert.equal((await share(id, await release())).body.notified_count, 1)
  assert.equal((await mailsTo('leaving@example.com')).length, 0)
})

test('returns the same 404 response for an unknown release and for a release of another workspace', async () => {
  const { group, share } = calls
  const foreign = await groupCalls(service, await service.tenant()).release()
  const id = await group([])
  const responses = [await share(id, foreign), await share(id, 'nothinghere')]
  const [a, b] = responses.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
  assert.deepEqual(a, b)
  assert.equal(a?.status, 404)
})

for (const [problem, body, field] of [
  ['no release_id', {}, 'release_id'],
  ['an empty release_id', { release_id: '' }, 'release_id'],
  ['a numeric release_id', { release_id: 7 }, 'release_id'],
] as const) {
  test(`rejects a request with ${problem}`, async () => {
    const response = await calls.send('POST', `/${await calls.group([])}/releases`, body)
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors)
  })
}

test('rejects a notify value that is not a boolean', async () => {
  const { group, release, send } = calls
  const body = { release_id: await release(), notify: 'true' }
  const response = await send('POST', `/${await group([])}/releases`, body)
  assert.deepEqual([response.status, Object.keys(response.body.errors)], [422, ['notify']])
})

test('sorts and paginates releases, excluding those that are removed, deleted or in a trashed application', async () => {
  const own = await service.tenant()
  const { group, release, share, send } = groupCalls(service, own)
  const id = await group([])
  const ids: string[] = []
  for (const title of ['Beta', 'alpha', 'Gamma']) ids.push(await release([], title))
  for (const releaseId of ids) await share(id, releaseId)
  const list = async (query = '') => titles((await send('GET', `/${id}/releases?${query}`)).body)
  assert.deepEqual(await list(), ['Beta', 'alpha', 'Gamma'])
  assert.deepEqual(await list('sort_by=title'), ['alpha', 'Beta', 'Gamma'])
  assert.deepEqual(await list('sort=desc&per_page=2&page=2'), ['Beta'])
  assert.equal((await send('DELETE', `/${id}/releases/${ids[0]}`)).status, 200)
  assert.equal((await auditEntry(service, id)).action, 'distribution_group.release_removed')
  assert.equal((await send('DELETE', `/${id}/releases/${ids[0]}`)).status, 404)
  const application = `/applications/${own.applicationId}`
  const key = own.workspaceKey
  await service.call('DELETE', `${application}/releases/${ids[1]}`, { key })
  assert.deepEqual(await list(), ['Gamma'])
  await service.call('DELETE', application, { key })
  assert.deepEqual(await list(), [])
  assert.equal((await share(id, ids[2]!)).status, 404)
  await service.call('POST', `${application}/restore`, { key })
  assert.deepEqual(await list(), ['Gamma'])
})
