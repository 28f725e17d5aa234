import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { watch, type EventClient } from '../../../test/event-client.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { positionText } from '../../events/change-position.ts'
import { applicationScopes } from '../../http/scopes.ts'

let service: Service
let tenant: Tenant
const opened: EventClient[] = []

before(async () => {
  service = await startService()
})
after(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})
afterEach(() => {
  for (const client of opened.splice(0)) client.close()
})

type Options = { key?: string; path?: string; lastEventId?: string; headers?: Record<string, string> }

async function open({ key = tenant.workspaceKey, path, ...options }: Options = {}): Promise<EventClient> {
  const client = await watch(service.url, {
    key,
    path: path ?? `/applications/${tenant.applicationId}/events`,
    ...options,
  })
  opened.push(client)
  return client
}

/** Opens a stream of new events and waits until it has started. */
async function opening(options: Options = {}): Promise<EventClient> {
  const client = await open(options)
  await client.until(() => client.events.length > 0, 'first event')
  return client
}

async function call(method: string, path: string, body?: unknown) {
  const options = { key: tenant.workspaceKey, ...(body === undefined ? {} : { body }) }
  const response = await service.call(method, path, options)
  assert.ok(response.status < 300, response.text)
  return response.body.data
}

const upload = async (fields: Record<string, unknown> = {}) =>
  (await uploadedBuild(service, tenant, fields)).build
const base = () => `/applications/${tenant.applicationId}`
const actionsOf = (client: EventClient) => client.changes().map(({ type, id, action }) => [type, id, action])

/** Waits for an event about the resource. */
const received = (client: EventClient, id: string, action: string) =>
  client.until(
    () => client.changes().some((data) => data['id'] === id && data['action'] === action),
    `${id} ${action}`,
  )

describe('event streams', () => {
  test('reports the creation, changes and deletion of a build and a release', async () => {
    const client = await opening()
    assert.equal(client.events[0]?.event, 'ready')
    assert.deepEqual(client.events[0]?.data, { cursor: client.events[0]?.id })
    const build = await upload()
    await received(client, build.id, 'created')
    await call('PATCH', `${base()}/builds/${build.id}`, { notes: 'x' })
    await received(client, build.id, 'updated')
    const release = await call('POST', `${base()}/releases`, {
      ...versionOf(1),
      title: 'Spring',
      build_ids: [build.id],
    })
    await received(client, release.id, 'created')
    await call('DELETE', `${base()}/builds/${build.id}?force=true`)
    await received(client, build.id, 'deleted')
    await call('POST', `${base()}/builds/${build.id}/restore`)
    await client.until(
      () =>
        client.changes().filter(({ action, type }) => type === 'build' && action === 'created').length === 2,
    )
    assert.deepEqual(
      client.changes().map(({ application_id }) => application_id),
      client.changes().map(() => tenant.applicationId),
    )
    assert.deepEqual(
      client.events.slice(1).map(({ id }) => id),
      client.changes().map(({ cursor }) => cursor),
    )
  })
})
void sql
void positionText
void applicationScopes
