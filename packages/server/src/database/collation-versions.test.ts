import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { cloneDatabase } from '../../test/database.ts'
import { recordingLog } from '../../test/recording-log.ts'
import { warnOfCollationChanges } from './collation-versions.db.ts'
import { connectDatabase } from './connect.ts'

test('warns about a collation whose library has changed until the collation version is refreshed', async (t) => {
  const clone = await cloneDatabase()
  const { log, lines } = recordingLog()
  const { db, close } = connectDatabase({ connection: clone.connection, maxConnections: 1, log })
  t.after(async () => {
    await close()
    await clone.drop()
  })
  const warned = async () => {
    await warnOfCollationChanges(db, log)
    return lines.splice(0).map(({ details }) => details)
  }
  assert.deepEqual(await warned(), [])
  await sql`alter collation name_order rename to original`.execute(db)
  await sql`create collation name_order (provider = icu, locale = 'und', version = '1.0')`.execute(db)
  const { rows } = await sql<{ actual: string }>`
    select pg_collation_actual_version(to_regcollation('name_order')) as actual`.execute(db)
  assert.deepEqual(await warned(), [{ collation: 'name_order', recorded: '1.0', actual: rows[0]?.actual }])
  await sql`alter collation name_order refresh version`.execute(db)
  assert.deepEqual(await warned(), [])
})
