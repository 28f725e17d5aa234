import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { Problem } from '../../lib/problem.ts'
import { connectDatabase } from '../connect.ts'
import { clusterName, findServerProcesses } from './processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

const refusal = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === `embedded_postgres.${code}` && text.test(error.message)

async function ask(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(server.connection)
  await client.connect()
  return (await client.query<Record<string, unknown>>(text).finally(() => client.end())).rows[0]
}

describe('embedded PostgreSQL', () => {
  let parent: string
  let dataDir: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-embedded-'))
    dataDir = join(parent, 'data')
    const first = await startEmbeddedPostgres({ dataDir, log })
    await ask(first, 'create table kept as select 42 as answer')
    await first.stop()
  })
  after(() => rm(parent, { recursive: true, force: true }))
  beforeEach(async () => {
    assert.deepEqual(await findServerProcesses(await clusterName(join(dataDir, 'postgres'))), [])
  })

  const start = () => startEmbeddedPostgres({ dataDir, log })
  const answers = async (server: EmbeddedPostgres) => {
    assert.deepEqual(await ask(server, 'select answer from kept'), { answer: 42 })
    await server.stop()
  }

  test('started again, has the data and the durable settings, and no way in but its private socket', async () => {
    const server = await start()
    const settings = await ask(
      server,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('timezone') as zone,
        current_setting('listen_addresses') as addresses, current_setting('server_version_num')::int / 10000 as version,
        (select datlocale from pg_database where datname = 'quayside') as locale`,
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
      'local all quayside peer map=quayside\n',
    )
    await answers(server)
  })

  test('Ctrl-C in the terminal, does not reach the server, which has a session of its own', async (t) => {
    if (process.platform !== 'linux') return t.skip('reads /proc')
    const server = await start()
    const fields = (await readFile(`/proc/${server.pid()}/stat`, 'utf8')).split(') ')[1]?.split(' ')
    assert.deepEqual([fields?.[2], fields?.[3]], [String(server.pid()), String(server.pid())])
    await server.stop()
  })

  test('stopped with connections in use, nothing of it runs on', async () => {
    const server = await start()
    const { pool, close } = connectDatabase({ connection: server.connection, maxConnections: 3, log })
    const busy = assert.rejects(pool.query('select pg_sleep(60)'), { code: 'database.unavailable' })
    const client = await pool.connect()
    await client.query('begin; lock table kept')
    await server.stop()
    await busy
    client.release()
    await close()
    assert.deepEqual(await findServerProcesses(await clusterName(join(dataDir, 'postgres'))), [])
  })

  test('killed while the service lives, callers see a problem and then it works again', async () => {
    const server = await start()
    const { pool, close } = connectDatabase({ connection: server.connection, maxConnections: 3, log })
    await pool.query('select 1')
    const killed = server.pid() as number
    process.kill(killed, 'SIGKILL')
    const outcomes = new Set<string>()
    for (;;) {
      const said = await pool.query('select answer from kept').then(
        () => 'works',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      )
      outcomes.add(said)
      if (said === 'works' && server.pid() !== undefined && server.pid() !== killed) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.deepEqual(
      [...outcomes].filter((said) => said !== 'works'),
      ['database.unavailable'],
    )
    await close()
    await answers(server)
  })

  test('a number in the lock file that another process now has, is not taken for the server', async () => {
    const lock = `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n\n  1 1\nready   \n`
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), lock)
    await writeFile(
      join(dataDir, 'postgres/.s.PGSQL.5432.lock'),
      `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n`,
    )
    await answers(await start())
  })

  test('a first start that was killed, does not stand in the way of the next', async () => {
    const young = join(parent, 'young')
    await mkdir(join(young, 'postgres.new-killed/base'), { recursive: true })
    const server = await startEmbeddedPostgres({ dataDir: young, log, settings: { fsync: 'off' } })
    await assert.rejects(stat(join(young, 'postgres.new-killed')), { code: 'ENOENT' })
    await server.stop()
  })

  test('the database gone from its folder, is refused and never begun anew', async () => {
    await rename(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'))
    await assert.rejects(start(), refusal('data_gone', /Put it back from a backup/))
    await rename(join(dataDir, 'elsewhere'), join(dataDir, 'postgres'))
    await answers(await start())
  })

  test('a folder that is something else or of another version, is refused', async () => {
    const other = join(parent, 'other')
    await mkdir(join(other, 'postgres'), { recursive: true })
    await writeFile(join(other, 'postgres/mine.txt'), 'mine')
    const startOther = () => startEmbeddedPostgres({ dataDir: other, log })
    await assert.rejects(startOther(), refusal('data_gone', /is not empty and is no PostgreSQL database/))
    await writeFile(join(other, 'postgres/PG_VERSION'), '15\n')
    if (process.getuid?.() === 0)
      await assert.rejects(startOther(), refusal('other_version', /PostgreSQL 15/))
  })

  test('a path too long for a socket, works all the same', async (t) => {
    if (process.platform !== 'linux') return t.skip('is refused elsewhere')
    const deep = join(parent, 'd'.repeat(120))
    await mkdir(deep)
    await rename(dataDir, join(deep, 'data'))
    const server = await startEmbeddedPostgres({ dataDir: join(deep, 'data'), log })
    await answers(server)
    await rename(join(deep, 'data'), dataDir)
  })

  test('root with folders that nobody else may enter, the data lies in the data folder', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('needs root')
    await chmod(parent, 0o700)
    const server = await start()
    assert.equal(server.dataLocation, join(dataDir, 'postgres'))
    await answers(server)
  })

  test('settings that PostgreSQL does not take, are told with what it said', async () => {
    const started = startEmbeddedPostgres({ dataDir, log, settings: { shared_buffers: 'much' } })
    await assert.rejects(started, refusal('not_started', /invalid value for parameter "shared_buffers"/))
  })
})
