import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { sql } from 'kysely'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { connectDatabase } from './connect.ts'

let onWarning = () => {}
const log = { warn: () => onWarning() }

describe('database connection', () => {
  let clone: TestDatabase
  let database: ReturnType<typeof connectDatabase>
  before(async () => {
    clone = await cloneDatabase()
    database = connectDatabase({ connection: clone.connection, maxConnections: 2, log })
  })
  after(async () => {
    await database.close()
    await clone.drop()
  })
  const one = async (text: string) => (await database.pool.query<Record<string, unknown>>(text)).rows[0]

  test('converts column values to the JavaScript types that the code expects', async () => {
    const row =
      await one(`select 9007199254740991 as int8, count(*) as count, '2026-01-02 03:04:05+02'::timestamptz as whole,
      '2026-01-02 03:04:05.1+00'::timestamptz as tenth, '2026-01-02 03:04:05.123456Z'::timestamptz as micro,
      array['2026-01-02T03:04:05Z', null]::timestamptz[] as times, array[1, null]::bigint[] as numbers,
      '2026-01-02'::date as day, null::timestamptz as nothing, '{"a": [1]}'::jsonb as json, 'infinity'::timestamptz as ever`)
    assert.deepEqual(row, {
      int8: 9007199254740991,
      count: 1,
      whole: '2026-01-02T01:04:05.000000Z',
      tenth: '2026-01-02T03:04:05.100000Z',
      micro: '2026-01-02T03:04:05.123456Z',
      times: ['2026-01-02T03:04:05.000000Z', null],
      numbers: [1, null],
      day: '2026-01-02',
      nothing: null,
      json: { a: [1] },
      ever: 'infinity',
    })
  })

  test('rejects a bigint value outside the safe integer range', async () => {
    await assert.rejects(one('select 9007199254740993'), /exceeds the safe integers/)
    assert.deepEqual(await one('select 1 as still'), { still: 1 })
  })

  test('uses one object per connection, because Kysely keeps a record for each object', async () => {
    const first = await database.pool.connect()
    const other = await database.pool.connect()
    first.release()
    const again = await database.pool.connect()
    other.release()
    again.release()
    assert.equal(again, first)
    assert.notEqual(other, first)
  })

  test('lets V8 free the results of statements without collecting the whole heap', async () => {
    const oldSpaceBytes = () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0
    const run = async (count: number) => {
      for (let i = 0; i < count; i++) {
        // Garbage causes the collections of new objects that move surviving results to the old space.
        Array.from({ length: 2_000 }, (_, number) => ({ number, text: `text ${number}` }))
        await database.pool.query('select i, i::text as text from generate_series(1, $1::int) i', [20])
      }
    }
    await run(500)
    // A collection of the whole heap reduces the size during one round, and other code of this process may increase it.
    const growthBytes: number[] = []
    for (let round = 0; round < 5; round++) {
      const startBytes = oldSpaceBytes()
      await run(500)
      growthBytes.push(oldSpaceBytes() - startBytes)
    }
    const [, , median = 0] = growthBytes.toSorted((a, b) => a - b)
    assert.ok(median < 500_000, `${growthBytes.join(', ')} bytes`)
  })

  test('prepares each repeated statement once per connection, up to a limit of 256 statements', async () => {
    const connection = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    for (let i = 0; i < 5; i++) await sql`select ${i}::int + 1 as next`.execute(connection.db)
    for (let i = 0; i < 600; i++) {
      const text = `select ${i} + $1::int`
      for (let j = 0; j < 2; j++) await connection.pool.query(text, [1])
    }
    const { rows } = await connection.pool.query(
      `select count(*) as all, count(*) filter (where statement like '%as next') as named from pg_prepared_statements`,
    )
    await connection.close()
    assert.deepEqual(rows, [{ all: 256, named: 1 }])
  })

  test('retries a statement that was prepared before its table changed', async () => {
    const connection = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    await one('create table changing (a int)')
    const all = () => connection.pool.query('select * from changing where $1 = 1', [1])
    for (let i = 0; i < 3; i++) await all()
    await one('alter table changing add b int')
    assert.deepEqual(
      (await all()).fields.map(({ name }) => name),
      ['a', 'b'],
    )
    await connection.close()
  })

  test('opens a connection although the process stalls for longer than the connection timeout', async () => {
    const fresh = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    const response = fresh.pool.query('select 1 as one')
    await setImmediate()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_300)
    assert.deepEqual((await response).rows, [{ one: 1 }])
    await fresh.close()
  })

  test('replaces an idle connection that the server closed', async () => {
    await one('select 1')
    const client = await database.pool.connect()
    const warned = Promise.withResolvers<void>()
    onWarning = warned.resolve
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.release()
    const killer = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    await killer.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await killer.close()
    await warned.promise
    assert.deepEqual(await one('select 1 as alive'), { alive: 1 })
  })

  test('throws database.timeout for a slow statement and leaves the connection usable', async () => {
    const connection = connectDatabase({
      connection: clone.connection,
      maxConnections: 1,
      log,
      // Other statements of the connection must not reach the timeout on a busy machine.
      statementTimeoutSeconds: 1,
    })
    await assert.rejects(connection.pool.query('select pg_sleep(10)'), {
      code: 'database.timeout',
      status: 503,
    })
    assert.equal((await connection.pool.query('select 1')).rowCount, 1)
    await connection.close()
  })

  test('throws database.timeout for a statement that waits too long for a lock', async () => {
    const connection = connectDatabase({
      connection: clone.connection,
      maxConnections: 2,
      log,
      lockTimeoutSeconds: 0.1,
    })
    const holder = await connection.pool.connect()
    await holder.query('begin; select pg_advisory_xact_lock(1)')
    await assert.rejects(connection.pool.query('select pg_advisory_xact_lock(1)'), {
      code: 'database.timeout',
      headers: { 'retry-after': '1' },
    })
    await holder.query('rollback')
    holder.release()
    await connection.close()
  })

  test('throws database.busy when a caller waits too long for a free connection', async () => {
    const connection = connectDatabase({
      connection: clone.connection,
      maxConnections: 1,
      log,
      // The timeout also applies to opening the first connection, which a busy machine delays.
      queueTimeoutSeconds: 3,
    })
    const holder = await connection.pool.connect()
    await assert.rejects(connection.pool.query('select 1'), { code: 'database.busy', status: 503 })
    holder.release()
    assert.equal((await connection.pool.query('select 1')).rowCount, 1)
    await connection.close()
  })

  test('completes more concurrent queries than the pool has connections', async () => {
    const rows = await Promise.all(Array.from({ length: 500 }, (_, i) => one(`select ${i} as n`)))
    assert.deepEqual(
      rows.map((row) => row?.['n']),
      Array.from({ length: 500 }, (_, i) => i),
    )
  })

  test('closes the pool after the timeout and rejects a statement that is still running', async () => {
    const connection = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    const running = assert.rejects(connection.pool.query('select pg_sleep(60)'), {
      code: 'database.unavailable',
    })
    await connection.close(100)
    await running
  })
})
