import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { connectDatabase } from './connect.ts'
import { violatedConstraint } from './errors.ts'
import { inTransaction, type Executor } from './transaction.ts'

const log = { warn: () => {} }

describe('transaction', () => {
  let clone: TestDatabase
  let database: ReturnType<typeof connectDatabase>
  before(async () => {
    clone = await cloneDatabase()
    database = connectDatabase({ connection: clone.connection, maxConnections: 4, log })
    await database.pool.query('create table counted (id int primary key, n int not null)')
    await database.pool.query('insert into counted values (1, 0), (2, 0)')
  })
  after(async () => {
    await database.close()
    await clone.drop()
  })
  const add = (db: Executor, id: number) => sql`update counted set n = n + 1 where id = ${id}`.execute(db)
  const counted = async () =>
    (await database.pool.query<{ n: number }>('select n from counted order by id')).rows.map(({ n }) => n)

  test('commits the work and returns its value', async () => {
    assert.equal(
      await inTransaction(database.db, async (tx) => {
        await add(tx, 1)
        return 'done'
      }),
      'done',
    )
    assert.deepEqual(await counted(), [1, 0])
  })

  test('rolls back and rethrows the error when the work throws', async () => {
    const mistake = new Error('mistake')
    const work = inTransaction(database.db, async (tx) => {
      await add(tx, 1)
      throw mistake
    })
    await assert.rejects(work, (error) => error === mistake)
    assert.deepEqual(await counted(), [1, 0])
  })

  test('commits both transactions after they deadlock', async () => {
    const met = Promise.withResolvers<void>()
    let waiting = 0
    const both = [
      [1, 2],
      [2, 1],
    ].map(([first = 0, second = 0]) =>
      inTransaction(database.db, async (tx) => {
        await add(tx, first)
        if (++waiting === 2) met.resolve()
        await met.promise
        await add(tx, second)
      }),
    )
    await Promise.all(both)
    assert.ok(waiting > 2, 'one transaction was the victim of a deadlock')
    assert.deepEqual(await counted(), [3, 2])
  })

  /** Creates a function that raises an error with this SQLSTATE in its first `failures` calls. */
  async function createFlaky(name: string, sqlState: string, failures: number): Promise<void> {
    await database.pool.query(`
      create sequence ${name}_calls;
      create function ${name}() returns trigger language plpgsql as $$ begin
        if nextval('${name}_calls') <= ${failures} then raise exception 'planted' using errcode = '${sqlState}'; end if;
        return new;
      end $$`)
  }

  test('repeats a statement outside of a transaction after a deadlock or a serialization failure', async () => {
    for (const sqlState of ['40P01', '40001']) {
      const name = `flaky_${sqlState.toLowerCase()}`
      await createFlaky(name, sqlState, 1)
      await database.pool.query(`
        create table ${name}_rows (n int);
        create trigger planted before insert on ${name}_rows for each row execute function ${name}()`)
      const { rows } = await database.pool.query(`insert into ${name}_rows values ($1) returning n`, [7])
      assert.deepEqual(rows, [{ n: 7 }])
    }
  })

  test('repeats the whole transaction when the commit fails with a serialization failure', async () => {
    await createFlaky('flaky_commit', '40001', 1)
    await database.pool.query(`
      create table flaky_commits (n int);
      create constraint trigger planted after insert on flaky_commits deferrable initially deferred
        for each row execute function flaky_commit()`)
    let runs = 0
    await inTransaction(database.db, async (tx) => {
      runs++
      await sql`insert into flaky_commits values (${runs})`.execute(tx)
    })
    assert.equal(runs, 2)
    const { rows } = await database.pool.query('select n from flaky_commits')
    assert.deepEqual(rows, [{ n: 2 }])
  })

  test('throws database.busy when a transaction fails five times', async () => {
    await createFlaky('flaky_always', '40001', 100)
    await database.pool.query(`
      create table flaky_always_rows (n int);
      create trigger planted before insert on flaky_always_rows for each row execute function flaky_always()`)
    let runs = 0
    const work = inTransaction(database.db, async (tx) => {
      runs++
      await sql`insert into flaky_always_rows values (1)`.execute(tx)
    })
    await assert.rejects(work, { kind: 'unavailable', code: 'database.busy' })
    assert.equal(runs, 5)
  })

  test('retries the work when a statement was prepared before its table changed', async () => {
    const one = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
    const all = (db: Executor) => sql`select * from counted where id = ${1}`.execute(db)
    for (let i = 0; i < 3; i++) await all(one.db)
    await database.pool.query('alter table counted add later int')
    const { rows } = await inTransaction(one.db, all)
    assert.deepEqual(rows, [{ id: 1, n: 3, later: null }])
    await one.close()
  })

  test('returns the name of the violated constraint', async () => {
    const work = inTransaction(database.db, (tx) => sql`insert into counted values (1, 1)`.execute(tx))
    await assert.rejects(work, (error) => violatedConstraint(error) === 'counted_pkey')
    assert.equal(violatedConstraint(new Error('other')), undefined)
  })

  test('rejects work that ignores the error from a failed statement', async () => {
    const work = inTransaction(database.db, async (tx) => {
      await sql`insert into counted values (1, 1)`.execute(tx).catch(() => {})
    })
    await assert.rejects(work)
  })

  test('leaves no transaction open when there are more transactions than connections', async () => {
    await Promise.all(Array.from({ length: 60 }, () => inTransaction(database.db, (tx) => add(tx, 1))))
    const { rows } = await database.pool.query(
      `select count(*) as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    assert.deepEqual(rows, [{ open: 0 }])
  })

  test('rolls back only the nested transaction when it throws', async () => {
    const before = await counted()
    await inTransaction(database.db, async (tx) => {
      await add(tx, 1)
      await assert.rejects(
        inTransaction(tx, async (inner) => {
          await add(inner, 2)
          await sql`select 1 / 0`.execute(inner)
        }),
      )
      await inTransaction(tx, (inner) => add(inner, 2))
    })
    assert.deepEqual(
      await counted(),
      before.map((n) => n + 1),
    )
  })

  test('rolls back a nested transaction when the outer transaction throws', async () => {
    const before = await counted()
    const work = inTransaction(database.db, async (tx) => {
      await inTransaction(tx, (inner) => add(inner, 2))
      throw new Error('mistake')
    })
    await assert.rejects(work, /mistake/)
    assert.deepEqual(await counted(), before)
  })
})
