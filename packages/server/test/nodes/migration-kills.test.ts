import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../../src/database/connect.ts'
import { cloneDatabase, databaseUrl } from '../database.ts'
import { until } from '../until.ts'

const kills = Number(process.env['QUAYSIDE_MIGRATION_KILLS'] ?? 3)
const maxDelayMs = 30
const schemaOf = `
  select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
  where table_schema = 'public' order by 1, 2`

test(`migrates a database completely after ${kills} kills of the migrating node`, async (t) => {
  const clone = await cloneDatabase()
  const { pool, close } = connectDatabase({
    connection: clone.connection,
    maxConnections: 1,
    log: { warn: () => {} },
  })
  t.after(async () => {
    await close()
    await clone.drop()
  })
  const rows = async (text: string) => (await pool.query<{ name: string }>(text)).rows
  const appliedMigrations = async () => {
    const [{ name } = { name: null }] = await rows(`select to_regclass('schema_migrations') as name`)
    if (name === null) return []
    return (await rows('select name from schema_migrations order by number')).map((row) => row.name)
  }
  const [schema, migrations] = [await rows(schemaOf), await appliedMigrations()]
  await pool.query('drop schema public cascade; create schema public')

  function startNode() {
    const script = join(import.meta.dirname, 'migrate.process.ts')
    const node = spawn(
      process.execPath,
      ['--conditions=@quayside/source', script, databaseUrl(clone.connection)],
      { stdio: 'inherit' },
    )
    return { node, exited: once(node, 'exit') as Promise<[number | null]> }
  }

  const progress: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const { node, exited } = startNode()
    // The kills interrupt different migrations.
    const reached = Math.floor((migrations.length * kill) / kills)
    await until(
      'the node applies migrations',
      async () => node.exitCode !== null || (await appliedMigrations()).length >= reached,
      { everyMs: 2 },
    )
    await pause(Math.random() * maxDelayMs)
    node.kill('SIGKILL')
    await exited
    const applied = await appliedMigrations()
    assert.deepEqual(applied, migrations.slice(0, applied.length))
    progress.push(applied.length)
  }
  assert.deepEqual((await startNode().exited).slice(0, 1), [0])
  assert.deepEqual(await appliedMigrations(), migrations)
  assert.deepEqual(await rows(schemaOf), schema)
  t.diagnostic(`migrations applied before each kill: ${progress.join(', ')}`)
})
