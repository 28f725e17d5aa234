import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { connectDatabase } from '../connect.ts'
import { migrate } from '../schema/migrate.ts'
import { openCopySession } from './copy-session.ts'
import { readDatabaseContent, readTable } from './database-content.ts'
import { loadDatabase } from './load-database.ts'

const queueSchema = {
  name: 'queue',
  sql: 'create schema queue; create table queue.version as select 7 as version;',
  statistics: [],
}
const old = {
  name: '0001-old.sql',
  sql: 'create table items (a int, b int);\ninsert into items values (1, 2);\n',
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('loadDatabase', () => {
  let databases: TestDatabase[]
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-load-'))
    databases = await Promise.all([cloneDatabase(), cloneDatabase()])
    await Promise.all(
      databases.map(({ connection }) =>
        query(connection, 'drop schema public cascade; create schema public'),
      ),
    )
  })
  after(async () => {
    await Promise.all(databases.map(({ drop }) => drop()))
    await rm(folder, { recursive: true, force: true })
  })

  async function query<Row extends object>(
    connection: TestDatabase['connection'],
    text: string,
  ): Promise<Row[]> {
    const session = await openCopySession(connection)
    return session
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => session.end())
  }
  async function applyMigrations(connection: TestDatabase['connection']): Promise<string[]> {
    const { pool, close } = connectDatabase({ connection, maxConnections: 1, log: { warn: () => {} } })
    return migrate(pool, folder).finally(close)
  }

  test('loads rows from before a baseline into its tables, so that the next start records the baseline', async () => {
    const [source, target] = databases.map(({ connection }) => connection)
    assert.ok(source && target)
    await writeFile(join(folder, old.name), old.sql)
    await applyMigrations(source)
    await query(source, queueSchema.sql)
    await rm(join(folder, old.name))
    const replaced = sha256(`${old.name} ${sha256(old.sql)}\n`)
    await writeFile(
      join(folder, '0002-baseline.sql'),
      `-- Replaces the migrations up to ${old.name}, sha256 ${replaced}.\ncreate table items (b int, a int);\n`,
    )
    const [reader, writer] = await Promise.all([openCopySession(source), openCopySession(target)])
    try {
      await loadDatabase({
        writer,
        content: await readDatabaseContent(reader, queueSchema),
        openTable: (table) => readTable(reader, table),
        migrationsFolder: folder,
        queueSchema,
        onProgress: () => {},
      })
    } finally {
      await Promise.all([reader.end(), writer.end()])
    }
    assert.deepEqual(await applyMigrations(target), ['0002-baseline.sql'])
    assert.deepEqual(await query(target, 'select a, b from items'), [{ a: 1, b: 2 }])
    assert.deepEqual(await query(target, 'select name from schema_migrations'), [
      { name: '0002-baseline.sql' },
    ])
  })
})
