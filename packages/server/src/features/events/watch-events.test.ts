import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { watch, type EventClient } from '../../../test/event-client.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { positionText } from '../../events/change-position.ts'

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
  test('report the creation, changes, deletion and restoration of builds and releases', async () => {
    const client = await opening()
    assert.equal(client.events[0]?.event, 'ready')
    assert.deepEqual(client.events[0]?.data, { cursor: client.events[0]?.id })
    const build = await upload()
    await received(client, build.id, 'created')
    await call('PATCH', `${base()}/builds/${build.id}`, { notes: 'x' })
    await received(client, build.id, 'updated')
    const body = { ...versionOf(1), title: 'Spring', build_ids: [build.id] }
    const release = await call('POST', `${base()}/releases`, body)
    await received(client, release.id, 'created')
    await call('DELETE', `${base()}/builds/${build.id}?force=true`)
    await received(client, build.id, 'deleted')
    await call('POST', `${base()}/builds/${build.id}/restore`)
    const creations = () =>
      actionsOf(client).filter(([, id, action]) => id === build.id && action === 'created')
    await client.until(() => creations().length === 2, 'restored build')
    for (const { id, data } of client.events.slice(1)) {
      assert.equal(data['application_id'], tenant.applicationId)
      assert.equal(data['cursor'], id)
    }
  })

  test('report streams, labels, custom targets and the application itself', async () => {
    const client = await opening({ path: '/workspace/events' })
    const expected: unknown[][] = []
    // Waits for each event, because changes that are read together are combined.
    const change = async (
      type: string,
      action: string,
      method: string,
      path: string,
      body?: unknown,
      id?: string,
    ) => {
      const data = await call(method, path, body)
      expected.push([type, id ?? data.id, action])
      await client.until(() => client.changes().length === expected.length, `${type} ${action}`)
      return expected.at(-1)![1] as string
    }
    const stream = await change('stream', 'created', 'POST', `${base()}/streams`, { name: 'weekly' })
    const label = await change('label', 'created', 'POST', '/workspace/labels', { name: 'gold' })
    await change('custom_target', 'created', 'POST', `${base()}/custom-targets`, {
      name: 'Kiosk',
      platform: 'linux',
    })
    await change('stream', 'updated', 'PATCH', `${base()}/streams/weekly`, { description: 'x' })
    await change('label', 'deleted', 'DELETE', '/workspace/labels/gold', undefined, label)
    await change('application', 'updated', 'PATCH', base(), { description: 'x' })
    await change('stream', 'deleted', 'DELETE', `${base()}/streams/weekly`, undefined, stream)
    await change('application', 'deleted', 'DELETE', base(), undefined, tenant.applicationId)
    assert.deepEqual(actionsOf(client), expected)
    assert.deepEqual(client.changes()[1]?.['application_id'], null)
  })

  test('resume after the last event without a gap or a repetition', async () => {
    const first = await opening()
    const builds = [await upload(), await upload(), await upload()]
    await received(first, builds[0]!.id, 'created')
    await received(first, builds[2]!.id, 'created')
    first.close()
    const { cursor } = first.changes()[0] as { cursor: string }
    await call('PATCH', `${base()}/builds/${builds[0]!.id}`, { notes: 'x' })
    const expected = [
      ['build', builds[1]!.id, 'created'],
      ['build', builds[2]!.id, 'created'],
      ['build', builds[0]!.id, 'updated'],
    ]
    for (const options of [{ lastEventId: cursor }, { path: `${base()}/events?after=${cursor}` }]) {
      const client = await open(options)
      await client.until(() => client.events.length === 3, '3 events')
      assert.deepEqual(actionsOf(client), expected)
    }
  })

  test('load changes that are no longer in memory from the database', async () => {
    const { db } = service.deps
    const builds: string[] = []
    const start = await opening()
    for (let count = 0; count < 3; count++) builds.push((await upload()).id)
    await received(start, builds[2]!, 'created')
    for (const client of opened.splice(0)) client.close()
    await untilAllClosed()
    const other = await service.tenant()
    // More changes than a restarted service loads.
    await sql`insert into changes (owner_id, type, resource_id, position)
      select ${other.applicationId}, 'build', 'x' || n, change_position() from generate_series(1, 5100) as n`.execute(
      db,
    )
    const client = await open({ lastEventId: start.events[0]!.id })
    await client.until(() => client.events.length === 3, '3 events')
    assert.deepEqual(
      actionsOf(client),
      builds.map((id) => ['build', id, 'created']),
    )
    const next = await upload()
    await received(client, next.id, 'created')
    assert.equal(client.changes().length, 4)
  })

  test('contain no events of other applications and workspaces', async () => {
    const foreign = await service.tenant()
    const body = { name: 'Sibling', platforms: ['linux'] }
    const sibling = await call('POST', '/applications', body)
    const key = await service.key(tenant.workspaceId, null, ['builds:read'])
    const clients = {
      application: await opening(),
      applicationKey: await opening({ key: tenant.applicationKey, path: '/workspace/events' }),
      workspace: await opening({ path: '/workspace/events' }),
      buildsOnly: await opening({ key, path: '/workspace/events' }),
    }
    await uploadedBuild(service, foreign)
    await call('POST', '/applications', { name: 'Third', platforms: ['linux'] })
    await call('PATCH', `/applications/${sibling.id}`, { description: 'x' })
    const siblingKey = await service.key(tenant.workspaceId, sibling.id, ['builds:write'])
    await uploadedBuild(service, { ...tenant, applicationId: sibling.id, applicationKey: siblingKey })
    await call('POST', `${base()}/releases`, { ...versionOf(1), title: 'Spring' })
    const own = await upload()
    for (const client of Object.values(clients)) await received(client, own.id, 'created')
    const typesOf = (client: EventClient) => client.changes().map(({ type }) => type)
    assert.deepEqual(typesOf(clients.application), ['release', 'build'])
    assert.deepEqual(typesOf(clients.applicationKey), ['release', 'build'])
    assert.deepEqual(
      typesOf(clients.workspace).filter((type) => type !== 'stream'),
      ['application', 'application', 'build', 'release', 'build'],
    )
    assert.deepEqual(
      typesOf(clients.buildsOnly).filter((type) => type !== 'stream'),
      ['build', 'build'],
    )
    const applications = new Set(clients.workspace.changes().map(({ application_id }) => application_id))
    assert.ok(applications.has(sibling.id))
    assert.ok(!applications.has(foreign.applicationId))
  })

  test('end within a second of the revocation of their key, and then require a valid key', async () => {
    const key = await call('POST', '/workspace/api-keys', { name: 'watcher', scopes: ['builds:read'] })
    const client = await opening({ key: key.key })
    await call('DELETE', `/workspace/api-keys/${key.id}`)
    const revokedAt = performance.now()
    await client.until(client.isClosed, 'end of the stream')
    assert.ok(performance.now() - revokedAt < 1_500)
    assert.equal(client.events.at(-1)?.data['reason'], 'key_invalid')
    assert.equal((await open({ key: key.key, lastEventId: client.lastId()! })).status, 401)
  })

  test('end when the key expires and when the application is deleted', async () => {
    const { db } = service.deps
    const other = await service.tenant()
    const client = await opening({
      key: other.workspaceKey,
      path: `/applications/${other.applicationId}/events`,
    })
    await service.call('DELETE', `/applications/${other.applicationId}`, { key: other.workspaceKey })
    const expiring = await call('POST', '/workspace/api-keys', {
      name: 'watcher',
      scopes: ['builds:read'],
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    })
    const expired = await opening({ key: expiring.key })
    await db
      .updateTable('api_keys')
      .set({ expires_at: sql`now()` })
      .where('id', '=', expiring.id)
      .execute()
    await Promise.all([client, expired].map((each) => each.until(each.isClosed, 'end of the stream')))
    assert.equal(client.events.at(-1)?.data['reason'], 'application_deleted')
    assert.equal(expired.events.at(-1)?.data['reason'], 'key_invalid')
  })

  test('reject cursors that are invalid, expired or newer than the database', async () => {
    const expired = positionText({ position: 5, type: '', id: '', owner: '' })
    const dropped = { owner_id: tenant.applicationId, position: 6 }
    await service.deps.db.insertInto('dropped_changes').values(dropped).execute()
    const future = positionText({ position: 2 ** 52, type: 'build', id: 'x', owner: 'y' })
    const forged = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const invalidIds = [
      'x',
      '-1',
      '../..',
      'x'.repeat(8_000),
      "'; drop table changes; --",
      forged(['events.1', -1, '', '', '']),
      forged(['events.1', 1.5, '', '', '']),
      forged(['events.1', '1', '', '', '']),
      forged(['events.1', 1, 'build\u0000', '', '']),
      forged(['events.1', 1, {}, [], null]),
      forged(['changes.1', 1, '', '', '']),
      forged({ length: 5, 0: 'events.1' }),
    ]
    for (const path of [`${base()}/events`, '/workspace/events']) {
      for (const lastEventId of invalidIds) {
        const { status } = await service.call('GET', path, {
          key: tenant.workspaceKey,
          headers: { 'last-event-id': lastEventId },
        })
        assert.equal(status, 422, lastEventId)
      }
      for (const [id, code] of [
        [expired, 'events.cursor_expired'],
        [future, 'events.cursor_unknown'],
      ] as const) {
        const query = await service.call('GET', `${path}?after=${id}`, { key: tenant.workspaceKey })
        assert.deepEqual([query.status, query.body.code], [410, code])
      }
    }
    assert.ok((await open({ lastEventId: '' })).status === 200)
  })

  test('are sent only to clients that accept them, with headers that prevent buffering and caching', async () => {
    const get = (method: string, accept: string) =>
      service.call(method, `${base()}/events`, { key: tenant.workspaceKey, headers: { accept } })
    for (const accept of ['application/json', 'text/html, application/json;q=0.9', '*/*;q=0'])
      assert.equal((await get('GET', accept)).status, 406, accept)
    for (const method of ['GET', 'HEAD'])
      for (const accept of [
        '*/*',
        'text/event-stream',
        'text/*',
        'application/json, text/event-stream;q=0.5',
      ]) {
        const { status, headers } = await get(method, accept)
        assert.equal(status, 200, accept)
        assert.equal(headers.get('content-type'), 'text/event-stream')
        assert.equal(headers.get('cache-control'), 'no-store')
        assert.equal(headers.get('x-accel-buffering'), 'no')
        assert.equal(headers.get('content-length'), null)
        assert.equal(headers.get('etag'), null)
      }
    await untilAllClosed()
  })

  test('are no longer counted once the client disconnects', async () => {
    const before = service.deps.eventStreams.count()
    const clients = await Promise.all(Array.from({ length: 5 }, () => opening()))
    assert.equal(service.deps.eventStreams.count(), before + 5)
    for (const client of clients) client.close()
    await untilAllClosed(before)
  })
})

async function untilAllClosed(count = 0): Promise<void> {
  for (const end = Date.now() + 10_000; service.deps.eventStreams.count() > count; await pause(5))
    assert.ok(Date.now() < end, 'streams remain open')
}
