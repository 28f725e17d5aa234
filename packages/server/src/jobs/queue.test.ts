import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { connectDatabase } from '../database/connect.ts'
import type { Deps } from '../deps.ts'
import { noMetrics } from '../lib/metrics.ts'
import { noTracing } from '../lib/tracing.ts'
import { job } from './job.ts'
import { createQueue } from './queue.ts'

let clone: TestDatabase
let database: ReturnType<typeof connectDatabase>

before(async () => {
  clone = await cloneDatabase()
  database = connectDatabase({ connection: clone.connection, maxConnections: 2, log: { warn: () => {} } })
})
after(async () => {
  await database.close()
  await clone.drop()
})

const openQueue = (superviseIntervalSeconds?: number) =>
  createQueue({
    connection: clone.connection,
    onError: () => {},
    ...(superviseIntervalSeconds === undefined ? {} : { superviseIntervalSeconds }),
  })

const stateOf = async (name: string) =>
  (await sql<{ state: string }>`select state::text from pgboss.job where name = ${name}`.execute(database.db))
    .rows[0]?.state

/** Enqueues a job and changes its row as if its worker had been killed `secondsAgo` seconds ago. */
async function leaveActive(name: string, secondsAgo: number) {
  const left = job({ name, retries: 3, expireInSeconds: 6 * 60 * 60, handle: () => Promise.resolve() })
  const { queue, start, stop } = openQueue()
  await start([left], { db: database.db, isSoleService: false })
  await queue.enqueue(database.db, left, {})
  await sql`update pgboss.job set state = 'active', started_on = now() - make_interval(secs => ${secondsAgo}),
    heartbeat_on = now() - make_interval(secs => ${secondsAgo}) where name = ${name}`.execute(database.db)
  await stop()
  return left
}

const waitForState = (name: string, state: string): Promise<true> =>
  until(`the state of ${name} is ${state}`, async () => (await stateOf(name)) === state)

test('retries a job of a killed worker immediately when the only service instance restarts', async () => {
  const left = await leaveActive('test.sole', 1)
  const { start, work, stop } = openQueue()
  await start([left], { db: database.db, isSoleService: true })
  assert.equal(await stateOf('test.sole'), 'retry')
  await sql`update pgboss.job set start_after = now() where name = 'test.sole'`.execute(database.db)
  await work([left], { metrics: noMetrics, tracing: noTracing } as Deps)
  await waitForState('test.sole', 'completed')
  await stop()
})

test('does not retry a job that another service instance is running', async () => {
  const left = await leaveActive('test.shared', 1)
  const { start, stop } = openQueue(1)
  await start([left], { db: database.db, isSoleService: false })
  assert.equal(await stateOf('test.shared'), 'active')
  await stop()
})

test('retries a job when its worker has sent no heartbeat for 30 seconds', async () => {
  const left = await leaveActive('test.silent', 31)
  const { start, stop } = openQueue(1)
  await start([left], { db: database.db, isSoleService: false })
  await waitForState('test.silent', 'retry')
  await stop()
})

test('applies changed options and schedules at the next start', async () => {
  const first = { name: 'test.changed', retries: 1, expireInSeconds: 60, schedule: '0 3 * * *' }
  const seen: unknown[] = []
  for (const options of [first, first, { ...first, retries: 4 }, { ...first, schedule: '0 4 * * *' }]) {
    const { start, stop } = openQueue()
    const changed = job({ ...options, handle: () => Promise.resolve() })
    await start([changed], { db: database.db, isSoleService: false })
    await stop()
    const { rows } = await sql<{ retries: number; cron: string }>`
      select retry_limit as retries, cron from pgboss.queue join pgboss.schedule using (name)
      where name = ${first.name}`.execute(database.db)
    seen.push(...rows)
  }
  assert.deepEqual(seen, [
    { retries: 1, cron: '0 3 * * *' },
    { retries: 1, cron: '0 3 * * *' },
    { retries: 4, cron: '0 3 * * *' },
    { retries: 1, cron: '0 4 * * *' },
  ])
})

test('runs a job that has a schedule without a call that enqueues it', async () => {
  const scheduled = job({
    name: 'test.scheduled',
    retries: 0,
    expireInSeconds: 60,
    schedule: '* * * * *',
    handle: () => Promise.resolve(),
  })
  const { start, work, stop } = openQueue()
  await start([scheduled], { db: database.db, isSoleService: true })
  await work([scheduled], { metrics: noMetrics, tracing: noTracing } as Deps)
  await waitForState(scheduled.name, 'completed')
  await stop()
})
