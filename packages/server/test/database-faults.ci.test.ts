import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { folderOnly } from './acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { startStopwatch } from './stopwatch.ts'
import { until } from './until.ts'
import { uploadedBuild } from './uploading.ts'

const run = promisify(execFile)

let service: Service
let tenant: Tenant
let buildPath: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant)
  buildPath = `/applications/${tenant.applicationId}/builds/${build.id}`
})
after(() => service.close())

const get = (path: string) => service.call('GET', path, { key: tenant.applicationKey })
const post = (path: string, body: object) => service.call('POST', path, { key: tenant.applicationKey, body })

/** Runs `work` while every write to these tables fails with this SQLSTATE. */
async function withFailingWrites(
  tables: string[],
  sqlState: string,
  work: () => Promise<void>,
): Promise<void> {
  const { db } = service.deps
  await sql`create or replace function fail() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception 'planted failure' using errcode = '${sqlState}'; end`)}`.execute(db)
  for (const table of tables)
    await sql`create trigger planted before insert or update on ${sql.table(table)} execute function fail()`.execute(
      db,
    )
  try {
    await work()
  } finally {
    for (const table of tables) await sql`drop trigger planted on ${sql.table(table)}`.execute(db)
  }
}

async function readiness(): Promise<{ status: number; message: string; ms: number }> {
  using stopwatch = startStopwatch()
  const response = await fetch(`${service.url}/readyz`)
  const { message } = (await response.json()) as { message: string }
  return { status: response.status, message, ms: stopwatch.elapsedMs() }
}

const untilReady = (): Promise<true> =>
  until('the service is ready', async () => (await readiness()).status === 200)

/** Opens a separate connection to the service's database, as an administrator does with psql. */
async function connectAdministrator(): Promise<pg.Client> {
  const client = new pg.Client({ ...service.state.connection, application_name: 'administrator' })
  await client.connect()
  return client
}

test('returns 503 with Retry-After when PostgreSQL reports an I/O error', async () => {
  for (const sqlState of ['58030', '58P01'])
    await withFailingWrites(['share_links'], sqlState, async () => {
      const { status, body, headers } = await post(`${buildPath}/share-links`, {})
      assert.deepEqual([status, body.code], [503, 'database.io_error'])
      assert.equal(headers.get('retry-after'), '1')
    })
})

test('serves downloads while the database disk is full, except through share links with a download limit', async () => {
  const links: string[] = []
  for (const body of [{}, { max_downloads: 3 }])
    links.push((await post(`${buildPath}/share-links`, body)).body.data.url as string)
  const { primary_file } = (await get(`${buildPath}/download`)).body
  await withFailingWrites(['downloads', 'share_links'], '53100', async () => {
    for (const path of ['/download', '/file']) {
      const { status } = await get(`${buildPath}${path}`)
      assert.equal(status, path === '/file' ? 302 : 200)
    }
    assert.equal((await fetch(primary_file.temp_url)).status, 200)
    const [free, limited] = await Promise.all(
      links.map((url) => service.call('POST', `${url}/downloads`, { key: null, body: {} })),
    )
    assert.equal(free?.status, 200)
    assert.deepEqual([limited?.status, limited?.body.code], [507, 'database.out_of_space'])
  })
})

test('fails the readiness check while the database is read-only', async () => {
  const administrator = await connectAdministrator()
  const { database } = service.state.connection
  const reconnectAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'quayside'`
  assert.equal((await readiness()).status, 200)
  await administrator.query(`alter database ${database} set default_transaction_read_only = on`)
  await administrator.query(reconnectAll)
  let found = await readiness()
  while (found.message.includes('unreachable')) found = await readiness()
  const { status, message } = found
  const write = await post(`${buildPath}/share-links`, {})
  await administrator.query(`set default_transaction_read_only = off`)
  await administrator.query(`alter database ${database} reset default_transaction_read_only`)
  await administrator.query(reconnectAll)
  await administrator.end()
  assert.deepEqual([status, message], [503, 'The database is read-only. Try again shortly.'])
  assert.deepEqual([write.status, write.body.code], [503, 'database.read_only'])
  await untilReady()
})

test('returns 503 for readiness checks within 4 s while the disk hangs', folderOnly, async () => {
  const path = join(service.dataDir, 'storage/installation-id')
  await rename(path, `${path}.kept`)
  // Opening a FIFO blocks a thread of the libuv thread pool, as reading from an unresponsive disk does.
  await run('mkfifo', [path])
  const checks = await Promise.all([readiness(), readiness()])
  for (const { status, message, ms } of checks) {
    assert.deepEqual([status, message], [503, 'Storage did not respond within 3 s.'])
    assert.ok(ms < 4_000, `${ms} ms`)
  }
  const writer = await open(path, 'w')
  await rename(`${path}.kept`, path)
  await writer.close()
  await untilReady()
})

test('keeps serving other endpoints while a table is locked', async (t) => {
  const administrator = await connectAdministrator()
  await administrator.query('begin; lock table builds')
  const timed = async (path: string) => {
    using stopwatch = startStopwatch()
    const { status, body } = await get(path)
    return { status, code: body.code as string | undefined, ms: stopwatch.elapsedMs() }
  }
  const list = `/applications/${tenant.applicationId}/builds`
  const lists = Promise.all(Array.from({ length: 24 }, () => timed(list)))
  const areAllBlocked = async () => {
    // Within a transaction, PostgreSQL caches the statistics views until the snapshot is cleared.
    await administrator.query('select pg_stat_clear_snapshot()')
    const { rows } = await administrator.query(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'quayside' and wait_event_type = 'Lock'`)
    return (rows[0] as { count: number }).count === 16
  }
  while (!(await areAllBlocked())) await pause(10)
  const others = await Promise.all(Array.from({ length: 5 }, () => timed('/workspace')))
  await administrator.query('rollback')
  await administrator.end()
  const slowestMs = Math.round(Math.max(...others.map(({ ms }) => ms)))
  t.diagnostic(`slowest GET /workspace: ${slowestMs} ms`)
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]))
  assert.ok(slowestMs < 5_000)
  for (const { status, code } of await lists)
    assert.ok(status === 200 || (status === 503 && code === 'database.timeout'), `${status} ${code}`)
  assert.equal((await get(list)).status, 200)
})
