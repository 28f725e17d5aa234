import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { EventClient } from '../../../test/event-client.ts'
import { insertMember } from '../../../test/people.ts'
import { startStopwatch } from '../../../test/stopwatch.ts'
import { requestUpload, uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { actionsOf, actionsOn, createWatching, received } from '../../../test/watching.ts'
import { positionText } from '../../events/change-position.ts'

describe('event streams', () => {
  const watching = createWatching()
  const { base, open, opening, untilClosed, call, upload } = watching

  test('contain no events of other applications or workspaces', async () => {
    const foreign = await watching.service().tenant()
    const body = { name: 'Sibling', platforms: ['linux'] }
    const sibling = await call('POST', '/applications', body)
    const key = await watching.service().key(watching.tenant().workspaceId, null, ['builds:read'])
    const clients = {
      application: await opening(),
      applicationKey: await opening({ key: watching.tenant().applicationKey, path: '/workspace/events' }),
      workspace: await opening({ path: '/workspace/events' }),
      buildsOnly: await opening({ key, path: '/workspace/events' }),
    }
    await uploadedBuild(watching.service(), foreign)
    await call('POST', '/applications', { name: 'Third', platforms: ['linux'] })
    await call('PATCH', `/applications/${sibling.id}`, { description: 'x' })
    const siblingKey = await watching
      .service()
      .key(watching.tenant().workspaceId, sibling.id, ['builds:write'])
    await uploadedBuild(watching.service(), {
      ...watching.tenant(),
      applicationId: sibling.id,
      applicationKey: siblingKey,
    })
    await call('POST', `${base()}/releases`, { ...versionOf(1), title: 'Spring' })
    const own = await upload()
    for (const client of Object.values(clients)) await received(client, own.id, 'created')
    const typesOf = (client: EventClient) => actionsOf(client).map(([type]) => type)
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

  test('report uploads only to callers that may upload to the application', async () => {
    const service = watching.service()
    const sibling = await call('POST', '/applications', { name: 'Sibling', platforms: ['linux'] })
    const userId = await insertMember(service, watching.tenant(), { applicationRole: 'readonly' })
    await call('POST', `/applications/${sibling.id}/members`, { user_id: userId, role: 'developer' })
    const path = '/workspace/events'
    const key = await service.key(watching.tenant().workspaceId, null, ['builds:read'])
    const clients = {
      uploader: await opening({ path }),
      application: await opening(),
      reader: await opening({ path, key }),
      member: await opening({ path, key: await service.signIn(userId) }),
    }
    const { pending_upload_id: own } = await requestUpload(service, watching.tenant())
    const siblingKey = await service.key(watching.tenant().workspaceId, sibling.id, ['builds:write'])
    const { pending_upload_id: other } = await requestUpload(service, {
      ...watching.tenant(),
      applicationId: sibling.id,
      applicationKey: siblingKey,
    })
    const label = await call('POST', '/workspace/labels', { name: 'last' })
    for (const client of Object.values(clients)) await received(client, label.id, 'created')
    const uploadsOf = (client: EventClient) =>
      [own, other].filter((id) => actionsOn(client, id).includes('created'))
    assert.deepEqual(uploadsOf(clients.uploader), [own, other])
    assert.deepEqual(uploadsOf(clients.application), [own])
    assert.deepEqual(uploadsOf(clients.reader), [])
    assert.deepEqual(uploadsOf(clients.member), [other])
    await call('PATCH', `/applications/${sibling.id}/members/${userId}`, { role: 'readonly' })
    await clients.member.until(clients.member.isClosed, 'end of the stream')
    assert.equal(clients.member.events.at(-1)?.data['reason'], 'access_changed')
  })

  test('end within a second of the revocation of their key, and then require a valid key', async () => {
    const key = await call('POST', '/workspace/api-keys', { name: 'watcher', scopes: ['builds:read'] })
    const client = await opening({ key: key.key })
    await call('DELETE', `/workspace/api-keys/${key.id}`)
    using stopwatch = startStopwatch()
    await client.until(client.isClosed, 'end of the stream')
    assert.ok(stopwatch.elapsedMs() < 1_500)
    assert.equal(client.events.at(-1)?.data['reason'], 'key_invalid')
    assert.equal((await open({ key: key.key, lastEventId: client.lastId()! })).status, 401)
  })

  test('end within a second when a member loses an application, and then contain only the others', async () => {
    const service = watching.service()
    const { db } = service.deps
    const lost = await call('POST', '/applications', { name: 'Lost', platforms: ['linux'] })
    const userId = await insertMember(service, watching.tenant(), { applicationRole: 'readonly' })
    const membership = { user_id: userId, role: 'developer' }
    await call('POST', `/applications/${lost.id}/members`, membership)
    const hidden = await call('POST', '/applications', { name: 'Hidden', platforms: ['linux'] })
    const key = await service.signIn(userId)
    const client = await opening({ key, path: '/workspace/events' })
    const unaffected = await opening({ key })
    await call('POST', `/applications/${hidden.id}/labels`, { name: 'hidden' })
    const label = await call('POST', `/applications/${lost.id}/labels`, { name: 'shown' })
    await received(client, label.id, 'created')
    assert.ok(client.changes().every(({ application_id }) => application_id !== hidden.id))
    await db.deleteFrom('application_members').where('application_id', '=', lost.id).execute()
    using stopwatch = startStopwatch()
    await client.until(client.isClosed, 'end of the stream')
    assert.ok(stopwatch.elapsedMs() < 1_500)
    assert.equal(client.events.at(-1)?.data['reason'], 'access_changed')
    const resumed = await open({ key, path: '/workspace/events', lastEventId: client.lastId()! })
    await call('PATCH', `/applications/${lost.id}/labels/${label.id}`, { name: 'no longer shown' })
    const build = await upload()
    await received(resumed, build.id, 'created')
    assert.ok(resumed.changes().every(({ application_id }) => application_id !== lost.id))
    await received(unaffected, build.id, 'created')
    await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await Promise.all([resumed, unaffected].map((each) => each.until(each.isClosed, 'end of the stream')))
    assert.equal(resumed.events.at(-1)?.data['reason'], 'key_invalid')
  })

  test('end when the key expires and when the application is deleted', async () => {
    const { db } = watching.service().deps
    const other = await watching.service().tenant()
    const client = await opening({
      key: other.workspaceKey,
      path: `/applications/${other.applicationId}/events`,
    })
    await watching
      .service()
      .call('DELETE', `/applications/${other.applicationId}`, { key: other.workspaceKey })
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
    const dropped = { owner_id: watching.tenant().applicationId, position: 6 }
    await watching.service().deps.db.insertInto('dropped_changes').values(dropped).execute()
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
        const { status } = await watching.service().call('GET', path, {
          key: watching.tenant().workspaceKey,
          headers: { 'last-event-id': lastEventId },
        })
        assert.equal(status, 422, lastEventId)
      }
      for (const [id, code] of [
        [expired, 'events.cursor_expired'],
        [future, 'events.cursor_unknown'],
      ] as const) {
        const query = await watching
          .service()
          .call('GET', `${path}?after=${id}`, { key: watching.tenant().workspaceKey })
        assert.deepEqual([query.status, query.body.code], [410, code])
      }
    }
    assert.ok((await open({ lastEventId: '' })).status === 200)
  })

  test('are sent only to clients that accept them, with headers that prevent buffering and caching', async () => {
    const get = (method: string, accept: string) =>
      watching
        .service()
        .call(method, `${base()}/events`, { key: watching.tenant().workspaceKey, headers: { accept } })
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
    await untilClosed()
  })
})
