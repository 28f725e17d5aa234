import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { uuidV7 } from '../lib/ids.ts'
import { connectDatabase } from './connect.ts'
import { listenForNotifications } from './listen.ts'

async function startListening(channel: string) {
  const { connection, drop } = await cloneDatabase()
  const { db, pool, close } = connectDatabase({ connection, maxConnections: 2, log: { warn() {} } })
  let count = 0
  const listening = listenForNotifications({
    connection,
    channels: { [channel]: () => void count++ },
    log: { warn() {} },
  })
  const notifications = (expected: number) =>
    until(`${expected} notifications`, () => count >= expected, { withinMs: 20_000 })
  // The first call reports that the connection is established.
  await notifications(1)
  return {
    db,
    pool,
    notifications,
    count: () => count,
    async end() {
      await listening.close()
      await close()
      await drop()
    },
  }
}

test('receives notifications again after its connection is lost', async (t) => {
  const { pool, notifications, end } = await startListening('test')
  t.after(end)
  await pool.query('notify test')
  await notifications(2)
  await pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`)
  await notifications(3)
  await pool.query('notify test')
  await notifications(4)
})

test('notifies the webhook senders only of events that have a subscriber', async (t) => {
  const { db, pool, notifications, count, end } = await startListening('quayside_events')
  t.after(end)
  await db.insertInto('workspaces').values({ id: 'w', name: 'Workspace' }).execute()
  await db.insertInto('applications').values({ id: 'a', workspace_id: 'w', name: 'App' }).execute()
  const owner = { workspace_id: 'w', application_id: 'a' }
  await db
    .insertInto('webhooks')
    .values([
      { id: uuidV7(), ...owner, url: 'http://x.org', event: 'build.created' },
      { id: uuidV7(), ...owner, url: 'http://x.org', event: 'build.moved', is_active: false },
    ])
    .execute()
  const insertEvent = (name: string) =>
    db
      .insertInto('events')
      .values({ id: uuidV7(), ...owner, name, data: '{}' })
      .execute()
  await insertEvent('build.deleted')
  await insertEvent('build.moved')
  await insertEvent('build.created')
  await notifications(2)
  // Notifications arrive in the order of the commits.
  await pool.query('notify quayside_events')
  await notifications(3)
  assert.equal(count(), 3)
})
