import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { uuidV7 } from '../../lib/ids.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path = '', body?: unknown, of = tenant) =>
  service.call(method, `/applications/${of.applicationId}/webhooks${path}`, { key: of.applicationKey, body })

const wish = (fields: object = {}) => ({ url: 'https://example.com/hook', event: 'build.created', ...fields })

async function created(fields: object = {}, of = tenant): Promise<string> {
  const { status, body, text } = await send('POST', '', wish(fields), of)
  assert.equal(status, 201, text)
  return body.data.id
}

const rowOf = (id: string) =>
  service.deps.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('creating a webhook narrowed by names, the answer, the row and the audit entry agree', async () => {
  await service.call('POST', `/applications/${tenant.applicationId}/labels`, {
    key: tenant.applicationKey,
    body: { name: 'ready', color: '#ff0000' },
  })
  const fields = { event: 'build.label.added', stream: 'stable', label: 'READY', description: 'words' }
  const { status, body } = await send('POST', '', wish(fields))
  assert.equal(status, 201)
  const { data } = body
  assert.deepEqual(
    [data.event, data.format, data.level, data.is_active, data.in_error_state, data.secret_configured],
    ['build.label.added', 'json', 'application', true, false, false],
  )
  assert.equal(data.event_subscription.stream.name, 'stable')
  assert.deepEqual(
    [data.event_subscription.label.name, data.event_subscription.label.color],
    ['ready', '#ff0000'],
  )
  assert.equal(data.latest_webhook_request, null)
  assert.equal((await rowOf(data.id)).stream_id, data.event_subscription.stream.id)
  const entry = await auditEntry(service, data.id)
  assert.equal(entry.action, 'webhook.created')
  assert.equal((entry.after as { url: string }).url, 'https://example.com/hook')
})

test('a secret, encrypted in the row and in no answer, audit entry or other column', async () => {
  const secret = 'very secret text of a webhook'
  const id = await created({ secret })
  const answers = [await send('GET', `/${id}`), await send('GET'), await send('PATCH', `/${id}`, { secret })]
  for (const { text } of answers) assert.ok(!text.includes(secret))
  assert.equal(answers[0]?.body.data.secret_configured, true)
  const row = await rowOf(id)
  assert.equal(service.deps.secretBox.open(row.secret_encrypted as Buffer, `webhook ${id}`), secret)
  assert.throws(() => service.deps.secretBox.open(row.secret_encrypted as Buffer, 'webhook of another'))
  const audits = await service.deps.db.selectFrom('audit_entries').selectAll().execute()
  for (const kept of [row.secret_encrypted?.toString('latin1'), JSON.stringify([row, audits])])
    assert.ok(kept !== undefined && !kept.includes(secret))
})

test('another secret, the former one stays for a day; null removes both', async () => {
  const id = await created({ secret: 'the first secret' })
  assert.equal((await send('PATCH', `/${id}`, { secret: ' second, with blanks ' })).status, 200)
  const { secretBox } = service.deps
  const row = await rowOf(id)
  const open = (bytes: Buffer | null) => secretBox.open(bytes as Buffer, `webhook ${id}`)
  assert.equal(open(row.secret_encrypted), ' second, with blanks ')
  assert.equal(open(row.previous_secret_encrypted), 'the first secret')
  const hours = (Date.parse(row.previous_secret_until ?? '') - Date.now()) / 3_600_000
  assert.ok(hours > 23 && hours < 25, `${hours}`)
  const entry = await auditEntry(service, id)
  assert.equal((entry.after as { secret_changed: boolean }).secret_changed, true)
  await send('PATCH', `/${id}`, { secret: null })
  const cleared = await rowOf(id)
  assert.deepEqual([cleared.secret_encrypted, cleared.previous_secret_encrypted], [null, null])
})

for (const [fields, field] of [
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'javascript:alert(1)' }, 'url'],
  [{ url: 'https://user:password@example.com' }, 'url'],
  [{ url: 'https://' }, 'url'],
  [{ event: 'build.exploded' }, 'event'],
  [{ format: 'xml' }, 'format'],
  [{ stream: 'nothing' }, 'stream'],
  [{ label: 'nothing' }, 'label'],
  [{ event: 'build.created.stream' }, 'stream'],
  [{ event: 'release.created', stream: 'stable' }, 'stream'],
  [{ secret: 'short' }, 'secret'],
] as const) {
  test(`creating a webhook with ${JSON.stringify(fields)}, 422 names ${field}`, async () => {
    const answer = await send('POST', '', wish(fields))
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), [field])
  })
}

test('changing a webhook, only the given fields change, and what remains must fit', async () => {
  const id = await created({ event: 'build.created.stream', stream: 'stable', description: 'words' })
  const { body } = await send('PATCH', `/${id}`, { url: 'http://example.org/other' })
  assert.deepEqual(
    [body.data.url, body.data.event, body.data.description],
    ['http://example.org/other', 'build.created.stream', 'words'],
  )
  assert.equal((await send('PATCH', `/${id}`, { stream: null })).status, 422)
  assert.equal((await send('PATCH', `/${id}`, {})).status, 422)
  const entry = await auditEntry(service, id)
  assert.equal((entry.before as { url: string }).url, 'https://example.com/hook')
  assert.equal((entry.after as { url: string }).url, 'http://example.org/other')
})

test('thirty new webhooks at once, ten are made; switching one off makes room for one', async () => {
  const own = await service.tenant()
  const answers = await Promise.all(Array.from({ length: 30 }, () => send('POST', '', wish(), own)))
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 10)
  assert.equal(statuses.filter((status) => status === 409).length, 20)
  const refused = answers.find(({ status }) => status === 409)
  assert.equal(refused?.body.code, 'webhook.too_many')
  const [first] = (await send('GET', '', undefined, own)).body.data
  await created({ is_active: false }, own)
  assert.equal((await send('PATCH', `/${first.id}`, { is_active: false }, own)).status, 200)
  await created({}, own)
  assert.equal((await send('PATCH', `/${first.id}`, { is_active: true }, own)).body.code, 'webhook.too_many')
})

test('the list, fifteen a page, oldest first and without the latest request', async () => {
  const own = await service.tenant()
  for (let index = 0; index < 17; index++) await created({ is_active: false, description: `${index}` }, own)
  const { body } = await send('GET', '', undefined, own)
  assert.deepEqual([body.data.length, body.pagination.per_page, body.pagination.total], [15, 15, 17])
  assert.equal(body.data[0].description, '0')
  assert.ok(!('latest_webhook_request' in body.data[0]))
  assert.equal((await send('GET', '?per_page=101', undefined, own)).status, 422)
})

test('a test request, it is stored to be sent with the newest build and is the latest one', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own)
  const id = await created({}, own)
  const { status, body } = await send('POST', `/${id}/test`, undefined, own)
  assert.equal(status, 201)
  const { data } = body
  assert.deepEqual([data.state, data.delivery_attempts, data.response_code], ['waiting', 0, null])
  assert.equal(data.request_payload.event, 'build.created')
  assert.equal(data.request_payload.data.build.id, build.id)
  assert.equal(data.request_payload.data.test, true)
  assert.ok(Math.abs(data.request_payload.created - Date.now() / 1000) < 60)
  assert.equal((await send('GET', `/${id}`, undefined, own)).body.data.latest_webhook_request.id, data.id)
  assert.deepEqual((await send('GET', `/${id}/requests/${data.id}`, undefined, own)).body.data, data)
  assert.equal((await send('GET', `/${id}/requests`, undefined, own)).body.pagination.total, 1)
  assert.equal((await auditEntry(service, id)).action, 'webhook.tested')
})

test('redelivering, a new request with the same event id; 409 while the first is still to be sent', async () => {
  const id = await created({ event: 'release.created' })
  const first = (await send('POST', `/${id}/test`)).body.data
  const path = `/${id}/requests/${first.id}/redeliver`
  assert.equal((await send('POST', path)).body.code, 'webhook_request.waiting')
  await service.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'failed', next_attempt_at: null })
    .where('id', '=', first.id)
    .execute()
  await send('PATCH', `/${id}`, { url: 'https://example.org/new' })
  const { status, body } = await send('POST', path)
  assert.equal(status, 201)
  assert.notEqual(body.data.id, first.id)
  assert.deepEqual(body.data.request_payload, first.request_payload)
  assert.equal(body.data.url, 'https://example.org/new')
  assert.equal((await auditEntry(service, first.id)).action, 'webhook_request.redelivered')
})

test('deleting a webhook, it and its requests are gone', async () => {
  const id = await created()
  const request = (await send('POST', `/${id}/test`)).body.data
  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  for (const path of [`/${id}`, `/${id}/requests/${request.id}`, `/${uuidV7()}`])
    assert.equal((await send('GET', path)).status, 404)
  assert.equal((await send('DELETE', `/${id}`)).status, 404)
  assert.equal((await auditEntry(service, id)).action, 'webhook.deleted')
})

test('deleting a stream that a webhook is narrowed to, the webhook goes with it', async () => {
  const id = await created({ stream: 'nightlies', is_active: false })
  const path = `/applications/${tenant.applicationId}/streams/nightlies`
  await service.call('DELETE', path, { key: tenant.applicationKey })
  assert.equal((await send('GET', `/${id}`)).status, 404)
})

for (const { narrowed, home, named } of [
  { narrowed: { event: 'build.created.stream', stream: 'gone' }, home: 'streams', named: 'Stream' },
  { narrowed: { event: 'build.label.added', label: 'gone' }, home: 'labels', named: 'Label' },
])
  test(`deleting one of the ${home}, its webhooks go with it, each with an audit entry`, async () => {
    const { applicationId, workspaceKey: key } = tenant
    const path = `/applications/${applicationId}/${home}`
    assert.equal((await service.call('POST', path, { key, body: { name: 'gone' } })).status, 201)
    const [first, second, other] = [await created(narrowed), await created(narrowed), await created()]
    const { status, body } = await service.call('DELETE', `${path}/gone`, { key })
    assert.equal(status, 200)
    assert.equal(body.message, `${named} deleted, and 2 webhooks that heard of nothing else.`)
    for (const id of [first, second]) {
      assert.equal((await send('GET', `/${id}`)).status, 404)
      const entry = await auditEntry(service, id)
      assert.deepEqual(
        [entry.action, entry.application_id, (entry.before as { url: string }).url],
        ['webhook.deleted', applicationId, 'https://example.com/hook'],
      )
    }
    assert.equal((await send('GET', `/${other}`)).status, 200)
    await send('DELETE', `/${other}`)
  })

test('a stream or label deleted while a webhook is narrowed to it, as unknown as one deleted before', async () => {
  const { applicationId, workspaceKey: key } = tenant
  const { db } = service.deps
  const id = await created()
  for (const { table, field, event } of [
    { table: 'streams', field: 'stream', event: 'build.created.stream' },
    { table: 'labels', field: 'label', event: 'build.label.added' },
  ] as const)
    for (const narrow of [
      (fields: object) => send('POST', '', wish(fields)),
      (fields: object) => send('PATCH', `/${id}`, fields),
    ]) {
      const path = `/applications/${applicationId}/${table}`
      const made = await service.call('POST', path, { key, body: { name: 'vanishing' } })
      const [gone, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const deleting = db.transaction().execute(async (tx) => {
        await tx.deleteFrom(table).where('id', '=', made.body.data.id).execute()
        deleted.resolve()
        await gone.promise
      })
      await deleted.promise
      const answer = narrow({ event, [field]: 'vanishing' })
      while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      gone.resolve()
      await deleting
      const { status, body } = await answer
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]])
    }

  async function waiting(): Promise<number> {
    const { rows } = await sql<{ waits: number }>`select count(*) as waits from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return Number(rows[0]?.waits)
  }
})
