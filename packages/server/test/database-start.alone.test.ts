import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { freePort } from './acceptance/free-port.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

let clone: TestDatabase
let dataDir: string

before(async () => {
  clone = await cloneDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'quayside-test-'))
})
after(async () => {
  await clone.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts a service while nothing listens on its PostgreSQL port. Returns the port, the pending start and the log. */
async function prepareStart({ waitSeconds, stopping }: { waitSeconds: number; stopping?: AbortSignal }) {
  const port = await freePort()
  const waiting = Promise.withResolvers<void>()
  const lines: string[] = []
  const write = (line: string) => {
    lines.push(line)
    waiting.resolve()
  }
  const { user, database } = clone.connection
  const config = readConfig({
    QUAYSIDE_PORT: '0',
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_DATABASE_WAIT_SECONDS: String(waitSeconds),
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${port}/${database}`,
  })
  const started = createApp(config, {
    log: pino({ level: 'warn' }, { write }),
    ...(stopping && { stopping }),
  })
  return { port, started, lines, waiting: waiting.promise }
}

test('waits for a database that is not running and starts once it becomes available', async () => {
  const { port, started, lines, waiting } = await prepareStart({ waitSeconds: 30 })
  await waiting
  assert.match(lines[0] ?? '', /nothing accepts connections there.*waiting for it/)
  const proxy = await startDatabaseProxy(clone.connection, port)
  const app = await started
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
  await app.close()
  await proxy.close()
})

test('reports what to check when the database does not become available in time', async () => {
  const { started } = await prepareStart({ waitSeconds: 1 })
  await assert.rejects(started, {
    code: 'database.unreachable',
    message: /did not become available within 1 s \(nothing accepts .*Check DATABASE_URL/,
  })
})

test('stops waiting for the database when the service is asked to stop', async () => {
  const stopping = new AbortController()
  const { started, waiting } = await prepareStart({ waitSeconds: 600, stopping: stopping.signal })
  await waiting
  stopping.abort()
  await assert.rejects(started, { name: 'AbortError' })
})

test('throws database.unavailable when no file descriptor is available for a connection', async () => {
  const script = `
    import { openSync } from 'node:fs'
    import { connectDatabase } from ${JSON.stringify(join(import.meta.dirname, '../src/database/connect.ts'))}
    const connection = JSON.parse(process.env.CONNECTION)
    const log = { warn() {} }
    const { pool, close } = connectDatabase({ connection, maxConnections: 1, log })
    await pool.query('select 1')
    await close()
    const second = connectDatabase({ connection, maxConnections: 1, log })
    try { for (;;) openSync('/dev/null') } catch (error) { console.log(error.code) }
    await second.pool.query('select 1').catch((error) => console.log(error.code, error.cause.code))
    process.exit()`
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'ulimit -n 60 && exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script],
    { env: { ...process.env, CONNECTION: JSON.stringify(clone.connection) } },
  )
  assert.deepEqual(stdout.trim().split('\n'), ['EMFILE', 'database.unavailable EMFILE'])
})
