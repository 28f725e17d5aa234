import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { insertMember } from '../../../test/people.ts'
import { untilChangesAreSettled } from '../../../test/settled-changes.ts'
import { versionOf } from '../../../test/uploading.ts'
import { actionsOf, createWatching, received } from '../../../test/watching.ts'

describe('event streams', () => {
  const watching = createWatching()
  const { base, open, opening, closeAll, untilClosed, call, upload } = watching

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
      assert.equal(data['application_id'], watching.tenant().applicationId)
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
    await change('application', 'deleted', 'DELETE', base(), undefined, watching.tenant().applicationId)
    assert.deepEqual(actionsOf(client), expected)
    assert.deepEqual(client.changes()[1]?.['application_id'], null)
  })

  test('resume after the last event without gaps or repeated events', async () => {
    const first = await opening()
    const builds = [await upload(), await upload(), await upload()]
    await received(first, builds[0]!.id, 'created')
    await received(first, builds[2]!.id, 'created')
    first.close()
    const { cursor } = first.changes().find(({ id }) => id === builds[0]!.id) as { cursor: string }
    await call('PATCH', `${base()}/builds/${builds[0]!.id}`, { notes: 'x' })
    const expected = [
      ['build', builds[1]!.id, 'created'],
      ['build', builds[2]!.id, 'created'],
      ['build', builds[0]!.id, 'updated'],
    ]
    for (const options of [{ lastEventId: cursor }, { path: `${base()}/events?after=${cursor}` }]) {
      const client = await open(options)
      await client.until(() => actionsOf(client).length === 3, '3 events')
      assert.deepEqual(actionsOf(client), expected)
    }
  })

  test('start with the changes made after the session was read', async () => {
    await upload()
    const userId = await insertMember(watching.service(), watching.tenant(), { workspaceRole: 'owner' })
    const key = await watching.service().signIn(userId)
    await untilChangesAreSettled(watching.service())
    const session = await watching.service().call('GET', '/session', { key })
    const later = await upload()
    const client = await open({ key, path: `/workspace/events?after=${session.body.data.events_cursor}` })
    await received(client, later.id, 'created')
    assert.deepEqual(actionsOf(client), [['build', later.id, 'created']])
  })

  test('load changes that are no longer in memory from the database', async () => {
    const { db } = watching.service().deps
    const builds: string[] = []
    const start = await opening()
    for (let count = 0; count < 3; count++) builds.push((await upload()).id)
    await received(start, builds[2]!, 'created')
    await closeAll()
    const other = await watching.service().tenant()
    // More changes than a restarted service loads.
    await sql`insert into changes (owner_id, type, resource_id, position)
      select ${other.applicationId}, 'build', 'x' || n, change_position() from generate_series(1, 5100) as n`.execute(
      db,
    )
    const client = await open({ lastEventId: start.events[0]!.id })
    await client.until(() => actionsOf(client).length === 3, '3 events')
    assert.deepEqual(
      actionsOf(client),
      builds.map((id) => ['build', id, 'created']),
    )
    const next = await upload()
    await received(client, next.id, 'created')
    assert.equal(actionsOf(client).length, 4)
  })

  test('are no longer counted once the client disconnects', async () => {
    // The streams of the tests before are closed asynchronously.
    await untilClosed()
    const clients = await Promise.all(Array.from({ length: 5 }, () => opening()))
    assert.equal(watching.service().deps.eventStreams.count(), 5)
    for (const client of clients) client.close()
    await untilClosed()
  })
})
