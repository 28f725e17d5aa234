import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { webhookCalls } from '../../../test/webhook-calls.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('returns the sample that a test would send, in each format', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own)
  const sample = async (query: string) => {
    const path = `/applications/${own.applicationId}/webhook-sample?${query}`
    return (await service.call('GET', path, { key: own.applicationKey })).body.data
  }
  const json = await sample('event=build.created')
  assert.deepEqual([json.payload.data.build.id, json.payload.data.test], [build.id, true])
  assert.deepEqual([JSON.parse(json.body), json.card], [json.payload, null])
  const form = await sample('event=release.created&format=form')
  assert.equal(form.content_type, 'application/x-www-form-urlencoded')
  const { body, card } = await sample('event=build.created&format=slack')
  assert.ok(card.subject.includes(build.version) && JSON.parse(body).text.includes(card.subject))
  assert.equal((await webhookCalls(service, own).send('GET')).body.pagination.total, 0)
})

test('lists the requests of a webhook by state and event', async () => {
  const { create, send } = webhookCalls(service, await service.tenant())
  const id = await create({ url: 'https://example.com/hook', event: 'release.created' })
  const failed = (await send('POST', `/${id}/test`)).body.data
  await service.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'failed', next_attempt_at: null })
    .where('id', '=', failed.id)
    .execute()
  await send('PATCH', `/${id}`, { event: 'build.created' })
  const waiting = (await send('POST', `/${id}/test`)).body.data
  assert.ok(waiting.next_attempt_at !== null)
  for (const [query, ids] of [
    ['state=failed', [failed.id]],
    ['state=waiting', [waiting.id]],
    ['state=delivered', []],
    ['event=build.created', [waiting.id]],
    ['state=failed&event=build.created', []],
    ['sort=desc', [waiting.id, failed.id]],
  ] as const) {
    const { data, pagination } = (await send('GET', `/${id}/requests?${query}`)).body
    assert.deepEqual([data.map((request: { id: string }) => request.id), pagination.total], [ids, ids.length])
  }
})
