import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/database/connect.ts'
import { findMissingSessionSettings, sessionSettings } from '../../src/database/session-settings.db.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { waitForDatabase } from '../../src/database/wait-for-database.ts'
import { databaseUrl } from '../database.ts'
import { watch } from '../event-client.ts'
import { startOwnService } from '../harness.ts'
import { hasPgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { recordingLog } from '../recording-log.ts'
import { hasSystemPostgres, startSystemPostgres, type SystemPostgres } from '../system-postgres.ts'
import { until } from '../until.ts'
import { uploadedBuild } from '../uploading.ts'

const connectQuery = Object.entries(sessionSettings)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

const androidBuild = { platform: 'android', primary_file: { filename: 'app.apk' } }
const skip = !(hasPgBouncer && hasSystemPostgres) && 'needs pgbouncer and postgresql'

describe('behind PgBouncer in transaction mode', { skip }, () => {
  let server: SystemPostgres
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>
  before(async () => {
    server = await startSystemPostgres()
    pooler = await startPgBouncer(server.connection, { connectQuery })
  })
  after(async () => {
    await pooler.stop()
    await server.remove()
  })
  const connect = (maxConnections = 6, log = recordingLog()) => ({
    ...connectDatabase({ connection: pooler.connection, isPooled: true, maxConnections, log: log.log }),
    lines: log.lines,
  })

  test('runs uploads, jobs and event streams with more connections than the pooler has sessions', async () => {
    const service = await startOwnService({
      environment: {
        DATABASE_URL: databaseUrl(pooler.connection),
        DATABASE_DIRECT_URL: server.url,
      },
    })
    try {
      const tenant = await service.tenant()
      const { applicationId, applicationKey: key } = tenant
      const path = `/applications/${applicationId}/events`
      const client = await watch(service.url, { key, path })
      const builds = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          uploadedBuild(service, tenant, index === 0 ? androidBuild : {}),
        ),
      )
      const lists = await Promise.all(
        Array.from({ length: 40 }, () =>
          service.call('GET', `/applications/${applicationId}/builds`, { key }),
        ),
      )
      assert.deepEqual(new Set(lists.map(({ status }) => status)), new Set([200]))
      assert.equal(lists[0]?.body.pagination.total, builds.length)
      await until('the jobs have inspected the Android build', async () => {
        const { body } = await service.call('GET', `/applications/${applicationId}/builds`, { key })
        return body.data.every((build: { pending_processing: boolean }) => !build.pending_processing)
      })
      await until('the event stream reports every build', () => {
        const ids = new Set(client.changes().map(({ id }) => id))
        return builds.every(({ build }) => ids.has(build.id))
      })
      client.close()
    } finally {
      await service.close()
    }
  })

  test('stops preparing statements when the pooler does not keep them for a client', async () => {
    const { pool, lines, close } = connect()
    try {
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          pool.query<{ sum: number }>('select $1::int + 1 as sum', [index]).then(({ rows }) => rows[0]?.sum),
        ),
      )
      assert.deepEqual(
        results,
        Array.from({ length: 200 }, (_, index) => index + 1),
      )
      // PgBouncer 1.21 and newer keep prepared statements for each client.
      assert.ok(lines.length <= 1, JSON.stringify(lines))
      for (const { message } of lines) assert.match(message, /does not support prepared statements/)
    } finally {
      await close()
    }
  })

  test('repeats a transaction whose prepared statement another session of the server has', async () => {
    const { db, pool, close } = connect()
    try {
      await pool.query('create table if not exists counted (id int primary key, count int)')
      await pool.query('insert into counted values (1, 0)')
      await Promise.all(
        Array.from({ length: 60 }, () =>
          inTransaction(db, (tx) => sql`update counted set count = count + ${1}`.execute(tx)),
        ),
      )
      const { rows } = await pool.query<{ count: number }>('select count from counted')
      assert.equal(rows[0]?.count, 60)
    } finally {
      await pool.query('drop table counted')
      await close()
    }
  })

  test('accepts the session settings of connect_query and reports those that are missing', async () => {
    const { db, close } = connect(1)
    const unset = await startPgBouncer(server.connection)
    const other = connectDatabase({
      connection: unset.connection,
      isPooled: true,
      maxConnections: 1,
      log: { warn: () => {} },
    })
    try {
      assert.deepEqual(await findMissingSessionSettings(db), [])
      const missing = await findMissingSessionSettings(other.db)
      assert.deepEqual(
        missing.map(({ name }) => name),
        Object.keys(sessionSettings),
      )
    } finally {
      await close()
      await other.close()
      await unset.stop()
    }
  })

  test('reports that DATABASE_DIRECT_URL is missing when DATABASE_URL refers to a pooler', async () => {
    const { pool, close } = connectDatabase({
      connection: pooler.connection,
      maxConnections: 1,
      log: { warn: () => {} },
    })
    try {
      await assert.rejects(
        waitForDatabase(pool, { log: { warn: () => {} }, timeoutSeconds: 5, stopping: undefined }),
        { code: 'database.pooler', message: /Set DATABASE_DIRECT_URL/ },
      )
    } finally {
      await close()
    }
  })
})
