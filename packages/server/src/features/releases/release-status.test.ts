import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type ApiResponse, type Service, type Tenant } from '../../../test/harness.ts'
import { eventsAbout, future, releaseCalls } from '../../../test/releases.ts'
import { versionOf } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
let releases: ReturnType<typeof releaseCalls>

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  releases = releaseCalls(service, tenant)
})
after(() => service.close())

const statusFields = ({ status, published_at, scheduled_for, withdrawn_at }: Record<string, unknown>) => ({
  status,
  published_at,
  scheduled_for,
  withdrawn_at,
})

test('publishes a new release immediately unless it is a draft or scheduled', async () => {
  const { create } = releases
  const published = await create()
  assert.deepEqual(statusFields(published), {
    status: 'published',
    published_at: published.created_at,
    scheduled_for: null,
    withdrawn_at: null,
  })
  const unpublished = { published_at: null, withdrawn_at: null }
  assert.deepEqual(statusFields(await create({ draft: true, scheduled_for: null })), {
    status: 'draft',
    scheduled_for: null,
    ...unpublished,
  })
  assert.deepEqual(statusFields(await create({ scheduled_for: '2099-01-01 01:00+01:00' })), {
    status: 'scheduled',
    scheduled_for: future,
    ...unpublished,
  })
})

test('rejects an invalid schedule', async () => {
  const { create, read, send } = releases
  const { id } = await create({ draft: true })
  for (const scheduled_for of ['2020-01-01T00:00:00Z', 'tomorrow', '9999-01-01T00:00:00Z', '', null, 7]) {
    const { status, body } = await send('POST', `/releases/${id}/schedule`, { scheduled_for })
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['scheduled_for']])
  }
  const ofDraft = { title: 'News', ...versionOf(1), draft: true, scheduled_for: future }
  const { status, body } = await send('POST', '/releases', ofDraft)
  assert.deepEqual([status, Object.keys(body.errors)], [422, ['scheduled_for']])
  assert.equal((await read(id)).status, 'draft')
})

test('publishes, withdraws and schedules a release and records each change in the audit log', async () => {
  const { create, publish, withdraw, schedule, read } = releases
  const { id } = await create({ draft: true })
  const expectChange = async (response: ApiResponse, action: string, status: string) => {
    assert.deepEqual([response.status, response.body.data.status], [200, status], response.text)
    assert.deepEqual(await read(id), response.body.data)
    const entry = await auditEntry(service, id)
    assert.deepEqual([entry.action, (entry.after as { status: string }).status], [action, status])
    return response.body.data
  }
  await expectChange(await schedule(id), 'release.scheduled', 'scheduled')
  const first = await expectChange(await publish(id), 'release.published', 'published')
  assert.equal(first.scheduled_for, null)
  const withdrawn = await expectChange(await withdraw(id), 'release.withdrawn', 'withdrawn')
  assert.equal(withdrawn.published_at, first.published_at)
  assert.ok(withdrawn.withdrawn_at > first.published_at)
  const scheduled = await expectChange(await schedule(id), 'release.scheduled', 'scheduled')
  assert.equal(scheduled.withdrawn_at, null)
  await expectChange(await withdraw(id), 'release.withdrawn', 'withdrawn')
  const second = await expectChange(await publish(id), 'release.published', 'published')
  assert.ok(second.published_at > first.published_at)
})

test('changes nothing when a release already has the requested status', async () => {
  const { create, publish, withdraw, schedule } = releases
  const { id } = await create()
  const repeated: (() => Promise<ApiResponse>)[] = [() => publish(id), () => withdraw(id), () => schedule(id)]
  for (const call of repeated) {
    const first = await call()
    const entry = await auditEntry(service, id)
    const second = await call()
    assert.deepEqual([second.status, second.body.data], [200, first.body.data])
    assert.equal((await auditEntry(service, id)).id, entry.id)
  }
})

test('rejects scheduling a published release and withdrawing a draft', async () => {
  const { create, withdraw, schedule } = releases
  const published = await schedule((await create()).id)
  assert.deepEqual([published.status, published.body.code], [409, 'release.already_published'])
  const draft = await withdraw((await create({ draft: true })).id)
  assert.deepEqual([draft.status, draft.body.code], [409, 'release.draft'])
})

test('filters releases by status', async () => {
  const of = await service.tenant()
  const { create, send } = releaseCalls(service, of)
  const published = await create()
  const draft = await create({ draft: true })
  const scheduled = await create({ scheduled_for: future })
  const list = async (query: string) =>
    (await send('GET', `/releases?${query}`)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await list(''), [published.id, draft.id, scheduled.id])
  assert.deepEqual(await list('statuses=draft,scheduled'), [draft.id, scheduled.id])
  assert.deepEqual(await list('statuses=withdrawn'), [])
  const { status, body } = await send('GET', '/releases?statuses=draft,secret')
  assert.deepEqual(
    [status, body.errors.statuses],
    [422, ['"secret" is not a status. The statuses are draft, scheduled, published, withdrawn.']],
  )
})

test('sends webhook events only for releases that are or were published', async () => {
  const { create, publish, withdraw, schedule, send } = releases
  const { id } = await create({ draft: true })
  const rename = (title: string) => send('PATCH', `/releases/${id}`, { title })
  await rename('Draft')
  await schedule(id)
  await withdraw(id)
  assert.deepEqual(await eventsAbout(service, id), [])
  await publish(id)
  await publish(id)
  assert.deepEqual(await eventsAbout(service, id), ['release.created'])
  await rename('Published')
  await withdraw(id)
  await rename('Withdrawn')
  await schedule(id)
  await withdraw(id)
  assert.deepEqual(await eventsAbout(service, id), [
    'release.created',
    'release.updated',
    'release.withdrawn',
  ])
  await publish(id)
  await withdraw(id)
  await send('DELETE', `/releases/${id}`)
  assert.deepEqual((await eventsAbout(service, id)).slice(3), [
    'release.updated',
    'release.withdrawn',
    'release.deleted',
  ])
  const draft = await create({ draft: true })
  await send('DELETE', `/releases/${draft.id}`)
  assert.deepEqual(await eventsAbout(service, draft.id), [])
})

test('tests a webhook with the most recent published release', async () => {
  const of = await service.tenant()
  const { create, send } = releaseCalls(service, of)
  const published = await create()
  await create({ draft: true, title: 'Secret' })
  const webhook = { url: 'https://example.com/hook', event: 'release.created' }
  const { id } = (await send('POST', '/webhooks', webhook)).body.data
  const { body } = await send('POST', `/webhooks/${id}/test`, {})
  assert.equal(body.data.request_payload.data.release.id, published.id)
})

test('reports the status of releases in the changes feed', async () => {
  const of = await service.tenant()
  const { create, send } = releaseCalls(service, of)
  const { id } = await create({ draft: true })
  const changes = async (cursor = '') => (await send('GET', `/changes?cursor=${cursor}`)).body
  let page = await changes()
  while (page.data.length === 0) page = await changes(page.cursor)
  assert.deepEqual([page.data[0].id, page.data[0].release.status], [id, 'draft'])
  await send('POST', `/releases/${id}/publish`)
  do page = await changes(page.cursor)
  while (page.data.length === 0)
  assert.deepEqual(
    [page.data[0].id, page.data[0].release],
    [id, { ...page.data[0].release, status: 'published' }],
  )
})
