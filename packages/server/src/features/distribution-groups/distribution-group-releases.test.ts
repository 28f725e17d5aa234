import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { person } from '../../../test/people.ts'

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

test('giving a release to a group without notify, listed there and nobody is told', async () => {
  const { group, release, send, share, mailsTo } = calls
  const id = await group(['quiet@example.com'])
  const releaseId = await release()
  const answer = await share(id, releaseId, false)
  assert.deepEqual([answer.status, answer.body.notified_count], [201, 0])
  const { added_at, ...rest } = answer.body.data
  assert.deepEqual(rest, {
    id: releaseId,
    application_id: tenant.applicationId,
    application_name: `App ${tenant.workspaceId}`,
    version: '1.2.3',
    title: 'Big news',
  })
  assert.deepEqual((await send('GET', `/${id}/releases`)).body.data, [answer.body.data])
  assert.deepEqual(await mailsTo('quiet@example.com'), [])
  const again = await share(id, releaseId, false)
  assert.deepEqual([again.status, again.body.data.added_at], [201, added_at])
  const entry = await auditEntry(service, id)
  assert.deepEqual(
    [entry.action, entry.application_id],
    ['distribution_group.release_added', tenant.applicationId],
  )
})

test('telling a group of a release, each member gets one mail that names release, application and group', async () => {
  const { group, release, share, mailsTo } = calls
  const id = await group(['Ada@example.com', 'bea@example.com'], { name: 'The first\nto know' })
  const answer = await share(id, await release([], 'One\r\nBcc: evil@example.com'))
  assert.equal(answer.body.notified_count, 2)
  const [text = '', ...more] = await mailsTo('ada@example.com')
  assert.deepEqual(more, [])
  assert.match(text, /^One Bcc: evil@example\.com \(App \w+ 1\.2\.3\) is there for you\.$/m)
  assert.match(text, /the group The first to know\.$/m)
  const prefix = `${service.url}/api/v1/public/group-links/`
  assert.ok(text.split('\n').some((line) => line.startsWith(prefix)))
  const { body } = await service.call('GET', '/workspace/outbox?sort=desc', { key: tenant.workspaceKey })
  assert.match(body.data[0].subject, /^App \w+ 1\.2\.3: One Bcc: evil@example\.com$/)
  const other = (await mailsTo('bea@example.com'))[0]
  assert.notEqual(other, text)
  const { notified_count } = (await auditEntry(service, id)).after as { notified_count: number }
  assert.equal(notified_count, 2)
})

test('a member who comes later, told when notify comes again; the others are not', async () => {
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

test('twenty calls at once give one release to five groups with the same people, each gets one mail', async () => {
  const { group, release, share } = calls
  const emails = Array.from({ length: 200 }, (_, i) => `crowd${i}@example.com`)
  const groups = await Promise.all(
    Array.from({ length: 5 }, (_, i) => group(i % 2 === 0 ? emails : emails.toReversed())),
  )
  const releaseId = await release()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => share(groups[i % 5]!, releaseId)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(
    answers.reduce((sum, { body }) => sum + (body.notified_count as number), 0),
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

test('two groups told at once, who is only in the larger is told too', async () => {
  const { group, add, release, share } = calls
  const both = Array.from({ length: 1000 }, (_, i) => `a${i}@larger.example`)
  const [small, large] = [await group(both), await group(both)]
  await add(large, ['z@larger.example'])
  for (let round = 0; round < 3; round++) {
    const releaseId = await release()
    const answers = await Promise.all([share(small, releaseId), share(large, releaseId)])
    assert.equal(
      answers.reduce((sum, { body }) => sum + (body.notified_count as number), 0),
      1001,
    )
  }
  assert.equal((await calls.mailsTo('z@larger.example')).length, 3)
})

test('a release deleted while groups are told of it, 201 or 404 and nothing else', async () => {
  const { group, release, share } = calls
  const groups = await Promise.all(Array.from({ length: 8 }, (_, i) => group([`late${i}@example.com`])))
  for (let round = 0; round < 5; round++) {
    const releaseId = await release()
    const path = `/applications/${tenant.applicationId}/releases/${releaseId}`
    const [deleted, ...answers] = await Promise.all([
      service.call('DELETE', path, { key: tenant.workspaceKey }),
      ...groups.map((id) => share(id, releaseId)),
    ])
    assert.equal(deleted.status, 200)
    for (const { status, text } of answers) assert.ok([201, 404].includes(status), text)
  }
})

test('telling a group again with the same Idempotency-Key, the first answer and no mail more', async () => {
  const { group, release } = calls
  const id = await group(['retried@example.com'])
  const body = { release_id: await release(), notify: true }
  const options = { key: tenant.workspaceKey, body, headers: { 'idempotency-key': 'a-retry' } }
  const ask = () => service.call('POST', `/distribution-groups/${id}/releases`, options)
  const [first, ...more] = await Promise.all([ask(), ask(), ask()])
  assert.equal(first.body.notified_count, 1)
  for (const { text } of more) assert.equal(text, first.text)
  assert.equal((await calls.mailsTo('retried@example.com')).length, 1)
})

test('members added while a release is given out, told once or with the next notify', async () => {
  const { group, add, release, share } = calls
  const id = await group(['race0@example.com'])
  const releaseId = await release()
  const emails = Array.from({ length: 20 }, (_, i) => `race${i}@example.com`)
  await Promise.all(emails.flatMap((email) => [add(id, [email]), share(id, releaseId)]))
  await share(id, releaseId)
  const told = await service.deps.db
    .selectFrom('mails')
    .select('recipient')
    .where('recipient', 'like', 'race%')
    .execute()
  assert.deepEqual(told.map(({ recipient }) => recipient).toSorted(), emails.toSorted())
})

test('ten thousand members, told by one call', async () => {
  const { group, add, release, share } = calls
  const id = await group([])
  for (let call = 0; call < 10; call++)
    await add(
      id,
      Array.from({ length: 1000 }, (_, i) => `m${call}.${i}@many.example`),
    )
  const answer = await share(id, await release())
  assert.equal(answer.body.notified_count, 10_000)
  const { count } = await service.deps.db
    .selectFrom('mails')
    .select((eb) => eb.fn.count<number>('recipient').distinct().as('count'))
    .where('recipient', 'like', '%@many.example')
    .executeTakeFirstOrThrow()
  assert.equal(count, 10_000)
})

test('a group that is not active, 409 with notify, and without it the release waits there', async () => {
  const { group, release, share, send } = calls
  const id = await group(['off@example.com'], { is_active: false })
  const releaseId = await release()
  const refused = await share(id, releaseId)
  assert.deepEqual([refused.status, refused.body.code], [409, 'distribution_group.inactive'])
  assert.equal((await send('GET', `/${id}/releases`)).body.pagination.total, 0)
  assert.equal((await share(id, releaseId, false)).status, 201)
})

test('an internal group, who left the workspace is not told', async () => {
  const { group, add, release, share, mailsTo } = calls
  const staying = await person(service, tenant, { email: 'staying@example.com' })
  const leaving = await person(service, tenant, { email: 'leaving@example.com' })
  assert.notEqual(staying, leaving)
  const id = await group([], { type: 'internal' })
  await add(id, ['staying@example.com', 'leaving@example.com'])
  const left = await service.call('DELETE', `/workspace/members/${leaving}`, { key: tenant.workspaceKey })
  assert.equal(left.status, 200, left.text)
  assert.equal((await share(id, await release())).body.notified_count, 1)
  assert.equal((await mailsTo('leaving@example.com')).length, 0)
})

test('a release of another workspace, the same answer as for one that is nowhere', async () => {
  const { group, share } = calls
  const foreign = await groupCalls(service, await service.tenant()).release()
  const id = await group([])
  const answers = [await share(id, foreign), await share(id, 'nothinghere')]
  const [a, b] = answers.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
  assert.deepEqual(a, b)
  assert.equal(a?.status, 404)
})

for (const [body, field] of [
  [{}, 'release_id'],
  [{ release_id: '' }, 'release_id'],
  [{ release_id: 7 }, 'release_id'],
] as const) {
  test(`${JSON.stringify(body)} as the release, 422 names ${field}`, async () => {
    const answer = await calls.send('POST', `/${await calls.group([])}/releases`, body)
    assert.equal(answer.status, 422)
    assert.ok(field in answer.body.errors)
  })
}

test('notify that is no boolean, 422', async () => {
  const { group, release, send } = calls
  const body = { release_id: await release(), notify: 'true' }
  const answer = await send('POST', `/${await group([])}/releases`, body)
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['notify']])
})

test('the releases of a group, sorted and paged; taken away, deleted or with their application in the trash, gone', async () => {
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
