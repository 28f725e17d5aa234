import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startService, type Service, type Tenant } from '../../test/harness.ts'
import { recordingLog } from '../../test/recording-log.ts'
import { until } from '../../test/until.ts'
import { readPosition } from './change-position.ts'
import { createEventStreams } from './event-streams.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

function createStreams({ limit = 10, perKey = 10, closeMs = 100, log = pino({ level: 'silent' }) } = {}) {
  return createEventStreams({
    db: service.deps.db,
    log,
    sharedWith: undefined,
    times: { pollMs: 20, heartbeatMs: 100, checkMs: 50, closeMs },
    eventStreamLimit: limit,
    eventStreamsPerKey: perKey,
  })
}

const request = (caller = 'key') => ({
  owners: { workspaceId: tenant.workspaceId, applicationIds: new Set([tenant.applicationId]) },
  types: new Set(['build'] as const),
  uploadApplicationIds: null,
  userId: null,
  caller,
  credential: caller,
  findAccessState: async () => 'unchanged' as const,
  after: undefined,
})

/** Records changes of builds that do not exist. The IDs of the builds start with `prefix`. */
async function recordChanges(prefix: string, count: number): Promise<void> {
  await sql`insert into changes (owner_id, type, resource_id, position)
    select ${tenant.applicationId}, 'build', ${prefix} || n, change_position() from generate_series(1, ${count}::int) as n`.execute(
    service.deps.db,
  )
}

async function textOf(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

const hasCode = (code: string) => (error: unknown) => (error as { code?: string }).code === code

describe('createEventStreams', () => {
  test('closes the stream of a client that does not read, with a reason and little memory', async () => {
    const { log, lines } = recordingLog()
    const streams = createStreams({ log, closeMs: 60_000 })
    const slow = await streams.open(request())
    const fast = await streams.open(request())
    let received = 0
    fast.on('data', (chunk: Buffer) => (received += String(chunk).split('event: change').length - 1))
    for (let count = 0; count < 4; count++) await recordChanges(`unread${count}-`, 5_000)
    await until('the client is disconnected', () => received === 20_000 && lines.length > 0)
    assert.ok(
      slow.readableLength > 16 * 1024 && slow.readableLength < 80 * 1024,
      `${slow.readableLength} bytes`,
    )
    assert.match(await textOf(slow), /event: end\ndata: \{"reason":"too_slow",.*\}\n\n$/)
    fast.destroy()
  })

  test('closes the connection of a client that does not even read the last event', async () => {
    const streams = createStreams()
    const stream = await streams.open(request())
    await recordChanges('stuck-', 1_000)
    await until('the connection is closed', () => stream.destroyed)
    assert.equal(streams.count(), 0)
  })

  test('sends every event to a slow client that takes longer than two heartbeats to read its backlog', async () => {
    const streams = createStreams()
    const stream = await streams.open(request())
    const recorded = recordChanges('slow-', 2_000)
    let text = ''
    const received = () => new Set(text.match(/"id":"slow-\d+"/g)).size
    for (const end = Date.now() + 60_000; received() < 2_000; await pause(70)) {
      text += String(stream.read() ?? '')
      assert.ok(!text.includes('event: end'), `the stream ended after ${received()} events`)
      assert.ok(Date.now() < end, `${received()} events`)
    }
    await recorded
    stream.destroy()
  })

  test('reports a creation that is read only after the resource has changed again', async () => {
    const streams = createStreams()
    const stream = await streams.open(request())
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += String(chunk)))
    const { db } = service.deps
    const record = (id: string) =>
      sql`select record_changes('build', array[${tenant.applicationId}], array[${id}], array[false])`.execute(
        db,
      )
    // Changes are read only after all earlier transactions have ended.
    const delayReading = async () => {
      const open = await db.startTransaction().execute()
      await sql`select pg_current_xact_id()`.execute(open)
      return open
    }
    const first = await delayReading()
    for (const id of ['changed', 'between', 'changed']) await record(id)
    await first.commit().execute()
    const actions = () =>
      [...text.matchAll(/"id":"(changed|between)","action":"(\w+)"/g)].map(([, id, action]) => [id, action])
    await until('both changes have arrived', () => actions().length === 2)
    await record('changed')
    await until('the next change has arrived', () => actions().length === 3)
    assert.deepEqual(actions(), [
      ['between', 'created'],
      ['changed', 'created'],
      ['changed', 'updated'],
    ])
    stream.destroy()
    // The next streams start with what can be read then: both changes, or only those between the two.
    for (const isDelayed of [false, true]) {
      const [place] = [...text.matchAll(/^id: (\S+)$/gm)].slice(-1)
      text = ''
      const id = `later-${isDelayed}`
      await record(id)
      await record('between')
      const second = isDelayed ? await delayReading() : undefined
      await record(id)
      const resumed = await streams.open({ ...request(), after: readPosition(place?.[1] ?? '') })
      resumed.on('data', (chunk: Buffer) => (text += String(chunk)))
      const hasBetween = () => text.includes('"id":"between","action":"updated"')
      await until('the change between has arrived', hasBetween).finally(() => second?.commit().execute())
      await until('the creation has arrived', () => text.includes(`"id":"${id}","action":"created"`))
      await record(id)
      await until('the change has arrived', () => text.includes(`"id":"${id}","action":"updated"`))
      resumed.destroy()
    }
  })

  test('advances the cursor of an idle client with heartbeats', async () => {
    const streams = createStreams()
    const stream = await streams.open(request())
    const other = await service.tenant()
    await service.call('POST', `/applications/${other.applicationId}/streams`, {
      key: other.workspaceKey,
      body: { name: 'weekly' },
    })
    streams.announce()
    const ids = new Set<string>()
    stream.on('data', (chunk: Buffer) => {
      const [, id] = /: heartbeat\nid: (\S+)\n\n/.exec(String(chunk)) ?? []
      if (id !== undefined) ids.add(id)
    })
    await until('a heartbeat has an ID', () => ids.size > 0)
    stream.destroy()
  })

  test('limits the number of streams for each key and in total', async () => {
    const streams = createStreams({ limit: 3, perKey: 2 })
    const first = await streams.open(request('a'))
    await streams.open(request('a'))
    await assert.rejects(streams.open(request('a')), hasCode('events.too_many_streams'))
    await streams.open(request('b'))
    await assert.rejects(streams.open(request('c')), hasCode('events.no_capacity'))
    first.destroy()
    await new Promise((resolve) => first.once('close', resolve))
    await streams.open(request('c'))
    streams.stop()
    await assert.rejects(streams.open(request('d')), hasCode('server.stopping'))
  })

  test('ends every stream with a reason when the service stops', async () => {
    const streams = createStreams()
    const opened = [await streams.open(request()), await streams.open(request())]
    const texts = Promise.all(opened.map(textOf))
    streams.stop()
    for (const text of await texts)
      assert.match(text, /event: end\ndata: \{"reason":"server_stopping",.*\}\n\n$/)
    assert.equal(streams.count(), 0)
  })
})
