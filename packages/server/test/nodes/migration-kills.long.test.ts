import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../../src/database/connect.ts'
import type { DatabasePool } from '../../src/database/pool.ts'
import { cloneDatabase, databaseUrl } from '../database.ts'
import { until } from '../until.ts'

const kills = Number(process.env['QUAYSIDE_MIGRATION_KILLS'] ?? 3)
const maxDelayMs = 30
const plantedCount = 5
const schemaOf = `
  select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
  where table_schema = 'public' and table_name not like 'planted%' order by 1, 2`

/** Creates a folder with the migrations and with newer ones, which take longer than the delay before a kill. */
async function plantMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-kills-'))
  await cp(join(import.meta.dirname, '../../migrations'), folder, { recursive: true })
  for (let n = 1; n <= plantedCount; n++)
    await writeFile(
      join(folder, `999${n}-planted.sql`),
      `create table planted_${n} as select generate_series(1, 1000) as row;
       select pg_sleep(0.1);
       alter table planted_${n} add primary key (row);`,
    )
  return folder
}

function startNode(url: string, folder: string) {
  const script = join(import.meta.dirname, 'migrate.process.ts')
  const node = spawn(process.execPath, ['--conditions=@quayside/source', script, url, folder], {
    stdio: 'inherit',
  })
  return { node, exited: once(node, 'exit') as Promise<[number | null]> }
}

function observe(pool: DatabasePool) {
  const rows = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows
  const names = async (text: string) => (await rows<{ name: string }>(text)).map(({ name }) => name)
  return {
    readSchema: () => rows(schemaOf),
    async listApplied(): Promise<string[]> {
      const [found] = await rows<{ name: string | null }>(`select to_regclass('schema_migrations') as name`)
      if (found === undefined || found.name === null) return []
      return names('select name from schema_migrations order by number')
    },
    async isMigrating(): Promise<boolean> {
      const locks = await rows(`select 1 from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`)
      return locks.length > 0
    },
    listPlantedTables: () =>
      names(`select relname::text as name from pg_class where relname ~ '^planted_\\d$' order by 1`),
    countPlantedRows: async (table: string) =>
      (await rows<{ count: number }>(`select count(row)::int as count from ${table}`))[0]?.count,
  }
}

test(`migrates a database completely after ${kills} kills of the migrating node`, async (t) => {
  const [clone, folder] = await Promise.all([cloneDatabase(), plantMigrations()])
  const url = databaseUrl(clone.connection)
  const { pool, close } = connectDatabase({
    connection: clone.connection,
    maxConnections: 1,
    log: { warn: () => {} },
  })
  t.after(async () => {
    await close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })
  const { readSchema, listApplied, isMigrating, listPlantedTables, countPlantedRows } = observe(pool)
  const schema = await readSchema()
  const migrations = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await pool.query('drop schema public cascade; create schema public')

  const interrupted: (string | undefined)[] = []
  for (let kill = 0; kill < kills; kill++) {
    const { node, exited } = startNode(url, folder)
    // The kills interrupt different migrations, the first one the baseline.
    const reached = Math.floor((migrations.length * kill) / kills)
    const hasReached = async () => (await listApplied()).length >= reached && (await isMigrating())
    await until('the node applies migrations', async () => node.exitCode !== null || hasReached(), {
      everyMs: 2,
    })
    await pause(Math.random() * maxDelayMs)
    const isInterrupted = await isMigrating()
    node.kill('SIGKILL')
    await exited
    await until('the server ends the transaction of the killed node', async () => !(await isMigrating()))
    const applied = await listApplied()
    assert.deepEqual(applied, migrations.slice(0, applied.length))
    const planted = applied.length - migrations.length + plantedCount
    if (applied.length === 0) assert.deepEqual(await readSchema(), [])
    if (planted >= 0) assert.deepEqual(await readSchema(), schema)
    assert.equal((await listPlantedTables()).length, Math.max(0, planted))
    if (isInterrupted) interrupted.push(migrations[applied.length])
  }
  assert.deepEqual((await startNode(url, folder).exited).slice(0, 1), [0])
  assert.deepEqual(await listApplied(), migrations)
  assert.deepEqual(await readSchema(), schema)
  for (const table of await listPlantedTables()) assert.equal(await countPlantedRows(table), 1000)
  assert.ok(interrupted.length > 0, 'no kill interrupted a migration')
  t.diagnostic(`interrupted migrations: ${interrupted.join(', ')}`)
})
