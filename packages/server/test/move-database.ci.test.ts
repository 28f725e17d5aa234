import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { startEmbeddedDatabase } from '../src/database/embedded-database.ts'
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts'
import { startService, type Service } from './harness.ts'
import type { ServerConnection } from './postgres-server.ts'
import { uploadedBuild } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

// The compile cache halves the time that a command takes to start.
const inherited = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const program = join(import.meta.dirname, '../bin/quayside-server.js')

let service: Service
let fixture: Fixture
/** A build that was uploaded before the move, with its bytes. */
let uploaded: Awaited<ReturnType<typeof uploadedBuild>>
/** The server that the embedded database is moved to. It accepts TCP connections, like a managed server. */
let proxy: DatabaseProxy

before(async () => {
  service = await startService({ environment: { DATABASE_URL: '' } })
  fixture = await createFixture(service)
  uploaded = await uploadedBuild(service, fixture)
  // Jobs that are scheduled for later, such as retries, must also be copied.
  await sql`insert into pgboss.job (name, data, start_after)
    select name, '{"kept": true}', now() + interval '1 day' from pgboss.queue limit 1`.execute(
    service.deps.db,
  )
  await service.stop()
  proxy = await startDatabaseProxy(service.state.connection)
})
after(async () => {
  await proxy.close()
  await service.state.remove()
})

async function move() {
  const { host, port, user, database } = proxy.connection
  const args = ['admin', 'move-database', '--to', `postgres://${user}@${host}:${port}/${database}`]
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited, QUAYSIDE_DATA_DIR: service.dataDir },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code: code as number }
}

async function queryRows<Row extends pg.QueryResultRow>(connection: ServerConnection, statement: string) {
  const client = new pg.Client(connection)
  await client.connect()
  return (await client.query<Row>(statement).finally(() => client.end())).rows
}

const tablesIn = (connection: ServerConnection) =>
  queryRows<{ name: string }>(
    connection,
    `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace in ('public'::regnamespace, to_regnamespace('pgboss'))
        and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )

/**
 * Returns the rows of each table and the state of each sequence as hashes, and the definitions of constraints, indexes
 * and triggers.
 */
async function contentOf(connection: ServerConnection) {
  const content: Record<string, unknown> = {}
  for (const { name } of await tablesIn(connection)) {
    if (/^pgboss\.(queue_stats|warning)$/.test(name)) continue
    content[name] = await queryRows(
      connection,
      `select count(*), md5(string_agg(t::text, ',' order by t::text)) from ${name} t`,
    )
  }
  const catalogs = {
    sequences: `select schemaname, sequencename, last_value from pg_sequences order by 1, 2`,
    constraints: `select conrelid::regclass::text, conname, convalidated, pg_get_constraintdef(oid) from pg_constraint
      where connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
        and conrelid::regclass::text !~ 'queue_stats' order by 1, 2`,
    triggers: `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    indexes: `select indexdef from pg_indexes where schemaname in ('public', 'pgboss') and tablename !~ 'queue_stats' order by 1`,
  }
  for (const [name, statement] of Object.entries(catalogs))
    content[name] = await queryRows(connection, statement)
  return content
}

test('refuses a database that is not empty and does not change it', async () => {
  const { code, stderr } = await move()
  assert.equal(code, 1)
  assert.match(stderr, /is not empty: it contains .* and \d+ more\. Use an empty database\./)
  const [row] = await queryRows<{ count: string }>(service.state.connection, 'select count(*) from builds')
  assert.equal(row?.count, '0')
})

test('leaves the database empty if the connection is lost while tables are copied', async () => {
  await queryRows(service.state.connection, 'drop schema public, pgboss cascade; create schema public')
  proxy.cutAfter('copy public.streams')
  const { code, stderr } = await move()
  assert.equal(code, 1, stderr)
  assert.deepEqual(await tablesIn(service.state.connection), [])
})

test('copies every row, sequence, constraint and trigger, and leaves the source unchanged', async () => {
  const { code, stderr, stdout } = await move()
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^public\.builds: [1-9]\d* rows, [\d.]+ K?B$/m)
  assert.match(stderr, /^pgboss\.job: [1-9]\d* rows?/m)
  assert.match(stdout, /Copied \d+ tables with \d+ rows .* set DATABASE_URL to the URL/s)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const embedded = await startEmbeddedDatabase({ dataDir: service.dataDir, log })
  try {
    const source = await contentOf(embedded.connection)
    assert.deepEqual(await contentOf(service.state.connection), source)
  } finally {
    await embedded.stop()
  }
})

test('runs the service on the new server with its data, keys and files', async () => {
  const moved = await startService({ state: service.state })
  try {
    const path = `/applications/${fixture.applicationId}/builds/${uploaded.build.id}/download`
    const { status, body, text: response } = await moved.call('GET', path, { key: fixture.applicationKey })
    assert.equal(status, 200, response)
    const bytes = await (await fetch(body.primary_file.temp_url)).arrayBuffer()
    assert.ok(Buffer.from(bytes).equals(uploaded.bytes))
    await uploadedBuild(moved, fixture)
  } finally {
    await moved.stop()
  }
})

test('refuses to move a database while the service uses it', async () => {
  const running = await startService({ state: service.state, environment: { DATABASE_URL: '' } })
  try {
    const { code, stderr } = await move()
    assert.equal(code, 1)
    assert.match(stderr, /Quayside is already running with the data folder/)
  } finally {
    await running.stop()
  }
})
