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

const send = (method: string, path = '', body?: unknown) =>
  service.call(method, `/workspace/default-streams${path}`, { key: tenant.workspaceKey, body })

test('lists the default streams with their names and UUIDs', async () => {
  const { status, body } = await send('GET')
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.slice(0, 3).map(({ name }: { name: string }) => name),
    ['default', 'nightlies', 'stable'],
  )
  assert.match(body.data[0].id, /^[0-9a-f]{8}-/)
})

test('copies the current default streams to each new application', async () => {
  const canary = await send('POST', '', { name: 'canary', retention_days: 7 })
  assert.equal(canary.status, 201)
  const { id } = canary.body.data
  assert.equal((await auditEntry(service, id)).action, 'default_stream.created')
  const streamsOfNewApplication = async () => {
    const key = tenant.workspaceKey
    const created = await service.call('POST', '/applications', { key, body: { name: 'new' } })
    const streams = await service.call('GET', `/applications/${created.body.data.id}/streams`, { key })
    const rows = streams.body.data as { name: string; retention_days: number | null }[]
    return Object.fromEntries(rows.map(({ name, retention_days }) => [name, retention_days]))
  }
  const initial = { default: null, nightlies: 30, stable: null }
  assert.deepEqual(await streamsOfNewApplication(), { ...initial, canary: 7 })

  const changed = await send('PATCH', `/${id}`, { name: 'dogfood', retention_days: null })
  assert.deepEqual([changed.body.data.name, changed.body.data.retention_days], ['dogfood', null])
  assert.deepEqual(await streamsOfNewApplication(), { ...initial, dogfood: null })

  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  assert.equal((await send('DELETE', `/${id}`)).status, 404)
  assert.deepEqual(await streamsOfNewApplication(), initial)
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'default_stream.deleted')
  assert.deepEqual(entry.before, { name: 'dogfood', description: null, retention_days: null })
})

test('rejects a default stream whose name differs from an existing name only in case', async () => {
  assert.equal((await send('POST', '', { name: 'Stable' })).body.code, 'stream.name_taken')
  const { body } = await send('POST', '', { name: 'own' })
  assert.equal((await send('PATCH', `/${body.data.id}`, { name: 'STABLE' })).status, 409)
})

test('returns 403 when an application key is used to list default streams', async () => {
  const response = await service.call('GET', '/workspace/default-streams', { key: tenant.applicationKey })
  assert.equal(response.status, 403)
})
