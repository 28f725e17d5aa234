import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectDatabase } from '../../src/database/connect.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { asRow, seed, type Row, type Statement } from './seed.fixture.ts'

export const own = { application_id: 'a', workspace_id: 'w' }
export const week = '2026-11-28T00:00:00Z'
export const run = (text: string): Statement => ({ text, values: [] })

const refusals: Record<string, string> = {
  23502: 'null',
  23503: 'foreign key',
  23505: 'unique',
  23514: 'check',
}

/** Tries statements on a database of its own that holds the seed; nothing they do stays. */
export function stateTests() {
  let database: TestDatabase
  let connected: ReturnType<typeof connectDatabase>
  before(async () => {
    database = await cloneDatabase()
    const log = { warn: () => undefined }
    connected = connectDatabase({ connection: database.connection, maxConnections: 1, log })
    for (const { text, values } of seed) await connected.pool.query(text, values)
  })
  after(async () => {
    await connected.close()
    await database.drop()
  })

  /** `ok` or the kind of constraint that refused. */
  async function outcomeOf(statements: readonly Statement[]): Promise<string> {
    const client = await connected.pool.connect()
    try {
      await client.query('begin')
      for (const { text, values } of statements) await client.query(text, values)
      return 'ok'
    } catch (error) {
      return refusals[(error as { code: string }).code] ?? String(error)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  /** The right twin shows that the wrong one fails for its own reason. */
  function refuses(what: string, refusal: string, right: Statement[], wrong: Statement[]): void {
    test(`${what} is refused, its right twin accepted`, async () => {
      assert.equal(await outcomeOf(right), 'ok')
      assert.equal(await outcomeOf(wrong), refusal)
    })
  }

  function refusesRow(what: string, refusal: string, table: string, right: Row, change: Row): void {
    refuses(what, refusal, [asRow(table, right)], [asRow(table, { ...right, ...change })])
  }

  /** A statement of the list checks its outcome itself: it divides by zero where that is wrong. */
  function accepts(what: string, statements: Statement[]): void {
    test(what, async () => assert.equal(await outcomeOf(statements), 'ok'))
  }

  return { refuses, refusesRow, accepts }
}
