import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../src/database/transaction.ts'
import { jobs } from '../src/jobs.ts'
import type { Job } from '../src/jobs/job.ts'
import { startOwnService, type Service } from './harness.ts'
import { until } from './until.ts'
import { createFixture } from './world.ts'

let service: Service
let recentIds: Set<string>

before(async () => {
  // Other test files create rows that look old.
  service = await startOwnService()
  await createFixture(service)
  recentIds = await rowIds()
})
after(() => service.close())

/** Returns the IDs of the rows in tables from which jobs delete old rows. */
async function rowIds(): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select 'build ' || id as id from builds union all select 'object ' || key from stored_objects
    union all select 'upload ' || id from pending_uploads union all select 'event ' || id from events
    union all select 'email ' || id from mails
    union all select 'webhook request ' || id from webhook_requests`.execute(service.deps.db)
  return new Set(rows.map(({ id }) => id))
}

async function statesOf(name: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = ${name}`.execute(
    service.deps.db,
  )
  return rows.map(({ state }) => state)
}

const untilDone = (name: string): Promise<string[]> =>
  until(
    `${name} is done`,
    async () => {
      const states = await statesOf(name)
      return states.every((state) => ['completed', 'failed'].includes(state)) && states
    },
    { withinMs: 120_000, everyMs: 30 },
  )

for (const scheduled of jobs.filter(({ schedule }) => schedule !== undefined) as Job[]) {
  test(`completes the ${scheduled.name} job without deleting recent data`, async () => {
    const { db, queue } = service.deps
    await inTransaction(db, (tx) => queue.enqueue(tx, scheduled, {}))
    assert.deepEqual(new Set(await untilDone(scheduled.name)), new Set(['completed']))
    assert.deepEqual([...recentIds.difference(await rowIds())], [])
  })
}
