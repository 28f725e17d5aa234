import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectDatabase } from '../src/database/connect.ts'
import { inTransaction, type Db } from '../src/database/transaction.ts'
import { recordEvents } from '../src/events/record-event.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { until } from './until.ts'

const events = Number(process.env['QUAYSIDE_WEBHOOK_EVENTS'] ?? 300)
const kills = Math.max(3, Math.round(events / 500))
const applications = 20
// One of the twenty applications has a receiver that fails until all events are recorded.
const failingApplication = 'a0'
const eventIntervalMs = 4
const maxKillDelayMs = 15
const workspace = 'w'

test(`loses no event while the sender is killed ${kills} times during ${events} events`, async (t) => {
  const { connection, drop } = await cloneDatabase()
  const { db, close } = connectDatabase({ connection, maxConnections: 4, log: { warn() {} } })
  const receiver = await startReceiver()
  await insertApplications(db, receiver.origin)
  let sender = startSender(databaseUrl(connection))
  t.after(async () => {
    await kill(sender)
    receiver.close()
    await close()
    await drop()
  })

  let killed = 0
  let interrupted: string[] = []
  for (let event = 0; event < events; event++) {
    const isLastOfRound = event >= (events / kills) * (killed + 1) - 1
    // The sender is killed while it sends the request of one event, not a queue of requests.
    if (isLastOfRound) await untilCaughtUp(db, interrupted)
    await recordBuildEvent(db, `a${event % applications}`, event)
    await pause(isLastOfRound ? Math.random() * maxKillDelayMs : eventIntervalMs)
    if (!isLastOfRound) continue
    await kill(sender)
    interrupted = await listUnfinished(db)
    killed++
    sender = startSender(databaseUrl(connection))
  }
  receiver.recover()
  await kill(sender)
  interrupted = await listUnfinished(db)
  // Skips the 30 s after which another sender repeats an interrupted attempt, and the delays of retries.
  await sql`update webhook_requests set next_attempt_at = now() where state = 'waiting'`.execute(db)
  sender = startSender(databaseUrl(connection))
  await until(
    'all requests are delivered',
    async () => {
      const found = await sql<{ delivered: number }>`
      select count(*) as delivered from webhook_requests where state = 'delivered'`.execute(db)
      return found.rows[0]?.delivered === events
    },
    { withinMs: 120_000 },
  )

  const recorded = await sql<{ id: string; number: number }>`
    select id, (data->'build'->>'id')::int as number from events`.execute(db)
  const ids = new Map(recorded.rows.map(({ id, number }) => [number, id]))
  assert.equal(ids.size, events)
  for (let event = 0; event < events; event++) {
    const received = receiver.accepted.get(event) ?? []
    assert.ok(received.length > 0, `event ${event} was not received`)
    for (const { id, headerId, application } of received)
      assert.deepEqual(
        [id, headerId, application],
        [ids.get(event), ids.get(event), `a${event % applications}`],
      )
  }
  const duplicates = receiver.count() - events
  const share = ((duplicates / events) * 100).toFixed(2)
  t.diagnostic(`${interrupted.length} attempts interrupted, ${duplicates} duplicates (${share} %)`)
  assert.equal(killed, kills)
  // With 10,000 events and 20 kills, this is 1% of the events.
  assert.ok(duplicates <= kills * 5, `${duplicates}`)
})

/**
 * Waits until the outcome of an attempt is recorded for every event, except for requests that were interrupted by an
 * earlier kill and are not repeated yet.
 */
const untilCaughtUp = (db: Db, interrupted: string[]): Promise<true> =>
  until(
    'the sender has caught up',
    async () => {
      const { rows } = await sql<{ events: number }>`
      select count(*) as events from events where dispatched_at is null`.execute(db)
      const unfinished = await listUnfinished(db)
      return rows[0]?.events === 0 && unfinished.every((id) => interrupted.includes(id))
    },
    { withinMs: 120_000 },
  )

/** Returns the IDs of the requests that have no recorded attempt. */
async function listUnfinished(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_requests where state = 'waiting' and response_code is null`.execute(db)
  return rows.map(({ id }) => id)
}

function startSender(url: string): ChildProcess {
  return spawn(
    process.execPath,
    ['--conditions=@quayside/source', join(import.meta.dirname, 'webhook-sender.process.ts')],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

type Accepted = { id: string; headerId: string; application: string }

/** Starts a receiver with a path for each application. Records the requests to which it responds with 200. */
async function startReceiver() {
  const accepted = new Map<number, Accepted[]>()
  let isFailing = true
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const application = (request.url ?? '').slice(1)
      if (application === failingApplication && isFailing) return response.writeHead(500).end()
      const { id, data } = JSON.parse(body) as { id: string; data: { build: { id: string } } }
      const number = Number(data.build.id)
      const headerId = String(request.headers['webhook-id'])
      accepted.set(number, [...(accepted.get(number) ?? []), { id, headerId, application }])
      return response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    count: () => [...accepted.values()].reduce((sum, { length }) => sum + length, 0),
    recover: () => void (isFailing = false),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function insertApplications(db: Db, origin: string): Promise<void> {
  const ids = Array.from({ length: applications }, (_, index) => `a${index}`)
  await db.insertInto('workspaces').values({ id: workspace, name: 'Workspace' }).execute()
  await db
    .insertInto('applications')
    .values(ids.map((id) => ({ id, workspace_id: workspace, name: id })))
    .execute()
  await db
    .insertInto('webhooks')
    .values(
      ids.map((id) => ({
        id: uuidV7(),
        workspace_id: workspace,
        application_id: id,
        url: `${origin}/${id}`,
        event: 'build.created',
      })),
    )
    .execute()
}

async function recordBuildEvent(db: Db, applicationId: string, number: number): Promise<void> {
  const actor = { via: 'system', id: null, name: 'Test', workspaceId: workspace } as const
  // The receiver needs only the ID of the build.
  const build = { id: String(number) } as never
  await inTransaction(db, (tx) =>
    recordEvents(tx, { actor, address: null }, [
      {
        action: 'build.created',
        applicationId,
        subject: { type: 'build', id: String(number) },
        events: [{ name: 'build.created', data: { build } }],
      },
    ]),
  )
}
