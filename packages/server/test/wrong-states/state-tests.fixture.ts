import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectDatabase } from '../../src/database/connect.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { insertRow, seed, type Row, type Statement } from './seed.fixture.ts'

export const own = { application_id: 'a', workspace_id: 'w' }
export const timestamp = '2026-11-28T00:00:00Z'
export const run = (text: string): Statement => ({ text, values: [] })

const constraintKinds: Record<string, string> = {
  23502: 'null',
  23503: 'foreign key',
  23505: 'unique',
  23514: 'check',
}

/** Declares tests that run statements against the seed and roll them back. */
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

  /** Returns `ok`, or the kind of constraint that rejected one of the statements. */
  async function outcomeOf(statements: readonly Statement[]): Promise<string> {
    const client = await connected.pool.connect()
    try {
      await client.query('begin')
      for (const { text, values } of statements) await client.query(text, values)
      return 'ok'
    } catch (error) {
      return constraintKinds[(error as { code: string }).code] ?? String(error)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  /**
   * Declares a test that also runs valid statements, to prove that the invalid statements fail for the intended reason.
   */
  function rejects(name: string, constraint: string, valid: Statement[], invalid: Statement[]): void {
    test(`rejects ${name}`, async () => {
      assert.equal(await outcomeOf(valid), 'ok')
      assert.equal(await outcomeOf(invalid), constraint)
    })
  }

  function rejectsRow(name: string, constraint: string, table: string, valid: Row, change: Row): void {
    rejects(name, constraint, [insertRow(table, valid)], [insertRow(table, { ...valid, ...change })])
  }

  /** Declares a test whose statements must succeed. Statements that check a result divide by zero on failure. */
  function accepts(name: string, statements: Statement[]): void {
    test(name, async () => assert.equal(await outcomeOf(statements), 'ok'))
  }

  return { rejects, rejectsRow, accepts }
}
