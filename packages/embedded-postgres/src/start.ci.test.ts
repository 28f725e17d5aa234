import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { EmbeddedPostgresError } from './error.ts'
import { clusterName, findServerProcesses } from './processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const name = 'embedded_test'
const log = { info: () => {}, warn: () => {}, error: () => {} }

const hasCode = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof EmbeddedPostgresError && error.code === code && text.test(error.message)

async function query(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(server.connection)
  // If the server closes the connection while no query is running, the client emits an error event.
  client.on('error', () => {})
  await client.connect()
  return (await client.query<Record<string, unknown>>(text).finally(() => client.end())).rows[0]
}

describe('embedded PostgreSQL', () => {
  let parent: string
  let dataDir: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-embedded-'))
    dataDir = join(parent, 'data')
    const first = await startEmbeddedPostgres({ dataDir, name, log })
    await query(first, 'create table kept as select 42 as number')
    await first.stop()
  })
  after(() => rm(parent, { recursive: true, force: true }))
  beforeEach(async () => {
    assert.deepEqual(await findServerProcesses(await clusterName(join(dataDir, 'postgres'))), [])
  })

  const start = () => startEmbeddedPostgres({ dataDir, name, log })
  const assertServes = async (server: EmbeddedPostgres) => {
    assert.deepEqual(await query(server, 'select number from kept'), { number: 42 })
    await server.stop()
  }

  test('preserves data across restarts, uses crash-safe settings and accepts only Unix-domain socket connections', async () => {
    const server = await start()
    const settings = await query(
      server,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('timezone') as zone,
        current_setting('listen_addresses') as addresses, current_setting('server_version_num')::int / 10000 as version,
        (select datlocale from pg_database where datname = 'embedded_test') as locale`,
    )
    assert.deepEqual(settings, {
      fsync: 'on',
      pages: 'on',
      zone: 'UTC',
      addresses: '',
      version: 18,
      locale: 'C.UTF-8',
    })
    assert.equal(server.dataLocation, join(dataDir, 'postgres'))
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
    assert.equal((await stat(server.dataLocation)).mode & 0o777, 0o700)
    assert.notEqual((await stat(server.dataLocation)).uid, 0)
    assert.equal(
      await readFile(join(server.dataLocation, 'pg_hba.conf'), 'utf8'),
      'local all embedded_test peer map=embedded_test\n',
    )
    await assertServes(server)
  })

  test('runs the server in its own session so that Ctrl-C in the terminal does not reach it', async (t) => {
    if (process.platform !== 'linux') return t.skip('requires /proc')
    const server = await start()
    const fields = (await readFile(`/proc/${server.pid()}/stat`, 'utf8')).split(') ')[1]?.split(' ')
    assert.deepEqual([fields?.[2], fields?.[3]], [String(server.pid()), String(server.pid())])
    await server.stop()
  })

  test('stops the server while connections are in use and leaves no processes behind', async () => {
    const server = await start()
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    await client.query('begin; lock table kept')
    const waitingQuery = assert.rejects(query(server, 'select * from kept'))
    const waiting = 'select 1 from pg_locks where not granted'
    while ((await client.query(waiting)).rowCount === 0);
    await server.stop()
    await waitingQuery
    await client.end()
    assert.deepEqual(await findServerProcesses(await clusterName(join(dataDir, 'postgres'))), [])
  })

  test('restarts the server after it is killed', async () => {
    const server = await start()
    const killed = server.pid() as number
    process.kill(killed, 'SIGKILL')
    while (server.pid() === undefined || server.pid() === killed)
      await new Promise((resolve) => setTimeout(resolve, 5))
    await assertServes(server)
  })

  test('ignores lock files that contain the PID of an unrelated process', async () => {
    const lock = `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n\n  1 1\nready   \n`
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), lock)
    await writeFile(
      join(dataDir, 'postgres/.s.PGSQL.5432.lock'),
      `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n`,
    )
    await assertServes(await start())
  })

  test('starts after an interrupted first start and removes the incomplete folder', async () => {
    const young = join(parent, 'young')
    await mkdir(join(young, 'postgres.new-killed/base'), { recursive: true })
    const server = await startEmbeddedPostgres({ dataDir: young, name, log, settings: { fsync: 'off' } })
    await assert.rejects(stat(join(young, 'postgres.new-killed')), { code: 'ENOENT' })
    await server.stop()
  })

  test('refuses to start when the database folder is missing', async () => {
    await rename(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'))
    await assert.rejects(start(), hasCode('data_gone', /Restore it from a backup/))
    await rename(join(dataDir, 'elsewhere'), join(dataDir, 'postgres'))
    await assertServes(await start())
  })

  test('rejects a folder that contains unrelated files or data from another PostgreSQL version', async () => {
    const other = join(parent, 'other')
    await mkdir(join(other, 'postgres'), { recursive: true })
    await writeFile(join(other, 'postgres/mine.txt'), 'mine')
    const startOther = () => startEmbeddedPostgres({ dataDir: other, name, log })
    await assert.rejects(startOther(), hasCode('data_gone', /is not empty and is not a PostgreSQL database/))
    await writeFile(join(other, 'postgres/PG_VERSION'), '15\n')
    if (process.getuid?.() === 0)
      await assert.rejects(startOther(), hasCode('other_version', /PostgreSQL 15/))
  })

  test('starts in a folder whose path is too long for a Unix-domain socket', async (t) => {
    if (process.platform !== 'linux') return t.skip('requires Linux')
    const deep = join(parent, 'd'.repeat(120))
    await mkdir(deep)
    await rename(dataDir, join(deep, 'data'))
    const server = await startEmbeddedPostgres({ dataDir: join(deep, 'data'), name, log })
    await assertServes(server)
    await rename(join(deep, 'data'), dataDir)
  })

  test('keeps data in the data folder when root starts the server inside a folder that only root can access', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('requires root')
    await chmod(parent, 0o700)
    const server = await start()
    assert.equal(server.dataLocation, join(dataDir, 'postgres'))
    await assertServes(server)
  })

  test('includes the PostgreSQL output in the error when a setting is invalid', async () => {
    const started = startEmbeddedPostgres({ dataDir, name, log, settings: { shared_buffers: 'much' } })
    await assert.rejects(started, hasCode('not_started', /invalid value for parameter "shared_buffers"/))
  })
})
