import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type DatabaseProxy, startDatabaseProxy } from '../../test/database-proxy.ts'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { startStopwatch } from '../../test/stopwatch.ts'
import { connectDatabase } from './connect.ts'
import { inTransaction } from './transaction.ts'

const log = { warn: () => {} }
const unavailable = { code: 'database.unavailable', status: 503, headers: { 'retry-after': '1' } }

describe('lost connections', () => {
  let clone: TestDatabase
  let proxy: DatabaseProxy
  let database: ReturnType<typeof connectDatabase>
  before(async () => {
    clone = await cloneDatabase()
  })
  after(() => clone.drop())
  beforeEach(async () => {
    proxy = await startDatabaseProxy(clone.connection)
    database = connectDatabase({ connection: proxy.connection, maxConnections: 3, log })
  })
  afterEach(async () => {
    await proxy.close()
    await database.close()
  })
  const ask = () => database.pool.query<{ number: number }>('select $1::int as number', [1])

  test('rejects calls without waiting for a timeout when the server is not running', async () => {
    await proxy.close()
    using stopwatch = startStopwatch()
    await assert.rejects(ask(), unavailable)
    await assert.rejects(
      inTransaction(database.db, () => Promise.resolve()),
      unavailable,
    )
    assert.ok(stopwatch.elapsedMs() < 1_000)
    proxy = await startDatabaseProxy(clone.connection)
  })

  test('throws database.unavailable when no server is listening at the Unix socket path', async () => {
    const nowhere = connectDatabase({
      connection: { ...clone.connection, host: '/nonexistent' },
      maxConnections: 1,
      log,
    })
    await assert.rejects(nowhere.pool.query('select 1'), unavailable)
    await nowhere.close()
  })

  test('fails only the statement that is running when the connection is lost', async () => {
    await ask()
    proxy.cutAfter('pg_sleep')
    await assert.rejects(database.pool.query('select pg_sleep(0.01)'), unavailable)
    assert.equal((await ask()).rows[0]?.number, 1)
  })

  test('rejects all calls within 5 s while the server is unresponsive and recovers once it responds again', async () => {
    await ask()
    proxy.silence()
    using silence = startStopwatch()
    const callers = Array.from({ length: 20 }, () => assert.rejects(ask(), unavailable))
    await Promise.all([
      ...callers,
      assert.rejects(
        inTransaction(database.db, () => Promise.resolve()),
        unavailable,
      ),
    ])
    assert.ok(silence.elapsedMs() < 5_000)
    using refusal = startStopwatch()
    await assert.rejects(ask(), unavailable)
    assert.ok(refusal.elapsedMs() <= 100)

    proxy.resume()
    using recovery = startStopwatch()
    while (
      !(await ask().then(
        () => true,
        () => false,
      ))
    )
      await new Promise((resolve) => setTimeout(resolve, 20))
    assert.ok(recovery.elapsedMs() < 5_000)
  })

  test('waits for a slow statement as long as the server is responsive', async () => {
    const { rows } = await database.pool.query('select 1 as slow from pg_sleep(3)')
    assert.deepEqual(rows, [{ slow: 1 }])
  })

  test('throws database.outcome_unknown without retrying when the connection is lost during the commit', async () => {
    await database.pool.query('create table if not exists once (a int)')
    let runs = 0
    proxy.cutAfter('commit')
    const work = inTransaction(database.db, async (tx) => {
      runs++
      await sql`insert into once values (1)`.execute(tx)
    })
    await assert.rejects(work, { code: 'database.outcome_unknown', status: 503 })
    assert.equal(runs, 1)
    assert.equal((await database.pool.query('select * from once')).rowCount, 1)
  })

  test('saves nothing and does not retry when the connection is lost before the commit', async () => {
    await database.pool.query('create table if not exists never (a int)')
    let runs = 0
    const work = inTransaction(database.db, async (tx) => {
      runs++
      await sql`insert into never values (1)`.execute(tx)
      proxy.cutAfter('pg_sleep')
      await sql`select pg_sleep(0.01)`.execute(tx)
    })
    await assert.rejects(work, unavailable)
    assert.equal(runs, 1)
    assert.equal((await database.pool.query('select * from never')).rowCount, 0)
  })
})
