import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { version } from '../../config/version.ts'
import { connectDatabase } from '../connect.ts'
import { migrate } from './migrate.ts'

const log = { warn: () => {} }

describe('migrate', () => {
  let clone: TestDatabase
  let database: ReturnType<typeof connectDatabase>
  let directory: string
  before(async () => {
    clone = await cloneDatabase()
    database = connectDatabase({ connection: clone.connection, maxConnections: 5, log })
  })
  after(async () => {
    await database.close()
    await clone.drop()
  })
  beforeEach(async () => {
    await database.pool.query('drop schema public cascade; create schema public')
    directory = await mkdtemp(join(tmpdir(), 'quayside-migrations-'))
    await write('0001-first.sql', 'create table first (a int);\ninsert into first values (1);\n')
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))
  const write = (name: string, sql: string) => writeFile(join(directory, name), sql)
  const run = () => migrate(database.pool, directory)
  const exists = async (table: string) =>
    (await database.pool.query('select 1 where to_regclass($1) is not null', [table])).rowCount === 1

  /** Waits until another session of the database waits for a table. */
  async function waitsForLock(): Promise<void> {
    await until('the migration waits for a table', async () => {
      const { rowCount } = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'relation'`,
      )
      return rowCount === 1
    })
  }

  test('applies every migration file exactly once and in order', async () => {
    await write('0002-second.sql', 'alter table first add b int;')
    assert.deepEqual(await run(), ['0001-first.sql', '0002-second.sql'])
    assert.deepEqual(await run(), [])
    await write('0003-third.sql', 'alter table first add c int;')
    assert.deepEqual(await run(), ['0003-third.sql'])
    const { rows } = await database.pool.query<{ number: number; length: number }>(
      'select number, name, length(sha256) as length from schema_migrations',
    )
    assert.deepEqual(
      rows.map(({ number, length }) => [number, length]),
      [
        [1, 64],
        [2, 64],
        [3, 64],
      ],
    )
  })

  test('applies every migration file exactly once when several nodes start at the same time', async () => {
    await write('0002-second.sql', 'alter table first add b int; select pg_sleep(0.2);')
    const applied = await Promise.all(Array.from({ length: 5 }, run))
    assert.deepEqual(applied.flat().sort(), ['0001-first.sql', '0002-second.sql'])
  })

  test('waits for another node to finish migrating even after the lock timeout has passed', async () => {
    const hasty = connectDatabase({
      connection: clone.connection,
      maxConnections: 1,
      log,
      lockTimeoutSeconds: 0.1,
    })
    const other = await database.pool.connect()
    await other.query('begin; select pg_advisory_xact_lock(7311402601)')
    const migrated = migrate(hasty.pool, directory)
    const isWaitingLong = async () => {
      // Without this call, the view would show the same rows for the whole transaction.
      await other.query('select pg_stat_clear_snapshot()')
      return (
        (
          await other.query(`select 1 from pg_stat_activity where datname = current_database()
          and wait_event = 'advisory' and clock_timestamp() - query_start > interval '300 ms'`)
        ).rowCount === 1
      )
    }
    while (!(await isWaitingLong())) await pause(10)
    await other.query('commit')
    other.release()
    assert.deepEqual(await migrated, ['0001-first.sql'])
    await hasty.close()
  })

  test('applies a migration again after a deadlock with a transaction of a serving node', async () => {
    await write('0002-two-tables.sql', 'create table second (a int);')
    await run()
    const node = await database.pool.connect()
    try {
      // The server ends the transaction that has waited for `deadlock_timeout`, so the migration always loses.
      await node.query(`begin; set local deadlock_timeout = '1min'; insert into second values (1)`)
      await write('0003-both.sql', 'alter table first add b int; alter table second add b int;')
      const migrated = run()
      await waitsForLock()
      // Now each of the two transactions waits for the other.
      await node.query('select * from first')
      await node.query('commit')
      assert.deepEqual(await migrated, ['0003-both.sql'])
    } finally {
      node.release()
    }
  })

  test('lets requests continue every two seconds while it waits for a table', async () => {
    await run()
    const dump = await database.pool.connect()
    try {
      await dump.query('begin; select * from first')
      await write('0002-wait.sql', 'alter table first add b int;')
      const migrated = run()
      await waitsForLock()
      // The request queues behind the migration. Its lock timeout is that of a service.
      assert.equal((await database.pool.query('select * from first')).rowCount, 1)
      await dump.query('commit')
      assert.deepEqual(await migrated, ['0002-wait.sql'])
    } finally {
      dump.release()
    }
  })

  test('rolls back only the migration that fails', async () => {
    await write('0002-broken.sql', 'create table half (a int);\nselect nonsense;')
    await assert.rejects(run(), /0002-broken.sql failed: column "nonsense" does not exist/)
    assert.deepEqual([await exists('first'), await exists('half')], [true, false])
    await write('0002-broken.sql', 'create table half (a int);')
    assert.deepEqual(await run(), ['0002-broken.sql'])
  })

  test('applies the remaining files on the next start if the connection is lost during a migration', async () => {
    await write('0002-slow.sql', 'create table half (a int);\nselect pg_sleep(60);')
    const killed = assert.rejects(run(), /0002-slow.sql failed/)
    const other = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
    while ((await other.pool.query(terminate)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await killed
    await write('0002-slow.sql', 'create table half (a int);')
    assert.deepEqual(await run(), ['0002-slow.sql'])
    await other.close()
  })

  test('rejects a file that has changed since it was applied', async () => {
    await run()
    await write('0001-first.sql', 'create table first (a bigint);')
    await assert.rejects(run(), /0001-first.sql differs from what was applied/)
  })

  test('accepts an applied file whose line endings have changed', async () => {
    await run()
    await write('0001-first.sql', 'create table first (a int);\r\ninsert into first values (1);\r\n')
    assert.deepEqual(await run(), [])
  })

  test('rejects a database that a newer version has migrated', async () => {
    await write('0002-second.sql', 'select 1;')
    await run()
    await rm(join(directory, '0002-second.sql'))
    await database.pool.query(`update schema_migrations set server_version = '9.8.7' where number = 2`)
    await assert.rejects(run(), ({ message }: Error) => {
      assert.match(
        message,
        /updated by version 9\.8\.7 \(migration 0002-second\.sql\), and this is version 0\./,
      )
      assert.match(message, /Start version 9\.8\.7 or a newer one\. To go back .* restore a backup/)
      return true
    })
  })

  test('rejects a newer migration in a database that has not recorded versions', async () => {
    await write('0002-second.sql', 'select 1;')
    await run()
    await rm(join(directory, '0002-second.sql'))
    await database.pool.query('alter table schema_migrations drop column server_version')
    await assert.rejects(run(), /0002-second\.sql, which this version does not include\. Start the version/)
    await write('0002-second.sql', 'select 1;')
    await write('0003-third.sql', 'select 1;')
    assert.deepEqual(await run(), ['0003-third.sql'])
    const { rows } = await database.pool.query<{ version: string | null }>(
      'select server_version as version from schema_migrations order by number',
    )
    assert.deepEqual(
      rows.map((row) => row.version),
      [null, null, version],
    )
  })

  test('rejects a new file whose number is lower than that of an applied file', async () => {
    await write('0003-third.sql', 'select 1;')
    await run()
    await write('0002-late.sql', 'select 1;')
    await assert.rejects(run(), /0002-late.sql comes before 3/)
  })

  test('rejects invalid file names and duplicate migration numbers', async () => {
    await write('0001-again.sql', 'select 1;')
    await assert.rejects(run(), /Two migrations have the number/)
    await rm(join(directory, '0001-again.sql'))
    await write('2-second.sql', 'select 1;')
    await assert.rejects(run(), /must be named like/)
  })

  test('rejects a file that ends the transaction it runs in', async () => {
    await write('0002-commits.sql', 'create table own (a int); commit;')
    await assert.rejects(run(), /0002-commits.sql ends the transaction/)
  })

  /** Replaces the files by a baseline that creates the same tables, and returns the names of the replaced ones. */
  async function writeBaseline(): Promise<string[]> {
    const replaced = (await readdir(directory)).sort()
    const applied = createHash('sha256')
    for (const name of replaced) {
      const sql = await readFile(join(directory, name))
      applied.update(`${name} ${createHash('sha256').update(sql).digest('hex')}\n`)
      await rm(join(directory, name))
    }
    const header = `-- Replaces the migrations up to ${replaced.at(-1)}, sha256 ${applied.digest('hex')}.`
    await write('0003-baseline.sql', `${header}\ncreate table first (b int, a int);\n`)
    return replaced
  }
  const appliedNames = async () =>
    (
      await database.pool.query<{ name: string }>('select name from schema_migrations order by number')
    ).rows.map(({ name }) => name)

  test('runs a baseline in a new database', async () => {
    await write('0002-second.sql', 'alter table first add b int;')
    await writeBaseline()
    await write('0004-next.sql', 'alter table first add c int;')
    assert.deepEqual(await run(), ['0003-baseline.sql', '0004-next.sql'])
    assert.deepEqual(await run(), [])
    await database.pool.query('select a, b, c from first')
  })

  test('records a baseline instead of the migrations that it replaces, keeps the data and applies newer files', async () => {
    await write('0002-second.sql', 'alter table first add b int;')
    await run()
    await writeBaseline()
    await write('0004-next.sql', 'alter table first add c int;')
    assert.deepEqual(await run(), ['0003-baseline.sql', '0004-next.sql'])
    assert.deepEqual(await appliedNames(), ['0003-baseline.sql', '0004-next.sql'])
    assert.deepEqual((await database.pool.query('select a from first')).rows, [{ a: 1 }])
    assert.deepEqual(await run(), [])
  })

  test('records a baseline once when several nodes start at the same time', async () => {
    await write('0002-second.sql', 'alter table first add b int;')
    await run()
    await writeBaseline()
    const applied = await Promise.all(Array.from({ length: 5 }, run))
    assert.deepEqual(applied.flat(), ['0003-baseline.sql'])
    assert.deepEqual(await appliedNames(), ['0003-baseline.sql'])
  })

  test('rejects a database with only some of the migrations that a baseline replaces', async () => {
    await run()
    await write('0002-second.sql', 'alter table first add b int;')
    await writeBaseline()
    const message =
      /up to 0001-first\.sql, but 0003-baseline\.sql replaces those up to 0002-second\.sql\. Start a version that includes 0002-second\.sql first/
    await assert.rejects(run(), message)
    assert.deepEqual(await appliedNames(), ['0001-first.sql'])
  })

  test('rejects a database whose migrations differ from those that a baseline replaces', async () => {
    await write('0002-second.sql', 'alter table first add other int;')
    await run()
    await write('0002-second.sql', 'alter table first add b int;')
    await writeBaseline()
    await assert.rejects(
      run(),
      /up to 0002-second\.sql in the database differ from those that 0003-baseline\.sql replaces/,
    )
  })

  test('rejects a baseline that comes after other migrations', async () => {
    const replaced = await writeBaseline()
    await write(replaced[0] ?? '', 'create table first (a int);')
    await assert.rejects(run(), /0003-baseline\.sql must come after 0001-first\.sql and before all other/)
  })
})
