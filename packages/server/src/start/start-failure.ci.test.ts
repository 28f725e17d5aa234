import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { freePort } from '../../test/acceptance/free-port.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../../test/database-proxy.ts'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { recordingLog } from '../../test/recording-log.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { describeStartFailure } from './start-failure.ts'

const program = join(import.meta.dirname, '../../bin/quayside-server.js')
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

let folder: string
let clone: TestDatabase
let proxy: DatabaseProxy
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-failure-'))
  await chmod(folder, 0o755)
  clone = await cloneDatabase()
  proxy = await startDatabaseProxy(clone.connection)
})
after(async () => {
  await proxy.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

type Start = { environment?: Record<string, string>; args?: string[] }

const baseEnvironment = () => ({
  QUAYSIDE_PORT: '0',
  QUAYSIDE_DATA_DIR: join(folder, 'data'),
  QUAYSIDE_DATABASE_WAIT_SECONDS: '0',
})

/** Runs the server until it exits and returns its messages for the operator, without the log. */
async function failedStart({ environment = {}, args = [] }: Start) {
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env['PATH'],
      ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
      ...baseEnvironment(),
      ...environment,
    },
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level"'))
  assert.doesNotMatch(stderr, /^\s+at /m, 'prints a stack trace')
  return { code: code as number, message: lines.join('\n'), stderr }
}

/** Starts the service in this process, which must fail, and returns the message that the server would print. */
async function failureInProcess(environment: Record<string, string>): Promise<string> {
  const config = readConfig({ ...baseEnvironment(), ...environment })
  const log = pino({ level: 'silent' })
  const error: unknown = await createApp(config, { log }).then(
    async (app) => {
      await app.close()
      assert.fail('the service has started')
    },
    (reason: unknown) => reason,
  )
  return describeStartFailure(error, { dataDir: config.dataDir, log })
}

const databaseUrl = ({
  user = 'quayside',
  host = '127.0.0.1',
  port = proxy.connection.port,
  database = '',
}) => `postgres://${user}@${host}:${port}/${database || clone.connection.database}`

describe('a data folder that cannot be used', () => {
  const unusable: { what: string; path: () => Promise<string>; expected: RegExp }[] = [
    {
      what: 'is a file',
      path: async () => {
        await writeFile(join(folder, 'file'), '')
        return join(folder, 'file')
      },
      expected: /The data folder .*\/file cannot be created, because .* is a file\. Delete or rename/,
    },
    {
      what: 'is below a file',
      path: async () => {
        await writeFile(join(folder, 'file'), '')
        return join(folder, 'file/data')
      },
      expected: /The data folder .*\/file\/data cannot be created, because .* is a file\./,
    },
  ]
  for (const { what, path, expected } of unusable)
    test(`stops startup with a message and no stack trace if the data folder ${what}`, async () => {
      const environment = { QUAYSIDE_DATA_DIR: await path(), DATABASE_URL: databaseUrl({}) }
      const { code, message } = await failedStart({ environment })
      assert.equal(code, 1)
      assert.match(message, expected)
    })

  test(
    'does not change a data folder of another user when started by root',
    { skip: !isRoot && 'requires root' },
    async () => {
      const dataDir = join(folder, 'of a user')
      await mkdir(dataDir, { mode: 0o700 })
      await chown(dataDir, nobody.uid, nobody.gid)
      for (const args of [[], ['storage', 'adopt'], ['storage', 'restore']]) {
        const { code, message } = await failedStart({ environment: { QUAYSIDE_DATA_DIR: dataDir }, args })
        assert.equal(code, 1)
        assert.match(
          message,
          /belongs to the user with ID 65534, .* \(sudo -u '#65534' …\), .* \(chown root '.*of a user'\)/,
        )
        assert.deepEqual(await readdir(dataDir), [])
        assert.equal((await lstat(dataDir)).uid, nobody.uid)
      }
    },
  )
})

describe('a file system error', () => {
  const describeError = (code: string, wrap = (error: Error): Error => error) => {
    const error = Object.assign(new Error(code), { code, syscall: 'mkdir', path: '/srv/data/storage' })
    return describeStartFailure(wrap(error), { dataDir: '/srv/data', log: undefined })
  }

  test('names the path, the cause and what to do for each file system error', () => {
    assert.match(describeError('EROFS'), /^\/srv\/data\/storage is on a read-only file system\. Mount it/)
    assert.match(describeError('ENOSPC'), /^There is no disk space left for \/srv\/data\/storage\. Free some/)
    assert.match(describeError('EDQUOT'), /the quota of the user/)
    assert.match(describeError('ENOTDIR'), /cannot be created, because .* is a file/)
  })

  test('reports a file system error that caused an embedded database error', () => {
    const wrap = (cause: Error) => new Error('PostgreSQL cannot be started', { cause })
    assert.match(describeError('EROFS', wrap), /is on a read-only file system/)
  })

  test('reports a full disk although the error of an open file has no path', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const error = Object.assign(new Error(`${code}: no space left on device, write`), {
        code,
        syscall: 'write',
      })
      for (const found of [error, new Error('the backup failed', { cause: error })])
        assert.equal(
          describeStartFailure(found, { dataDir: '/srv/data', log: undefined }),
          'There is no disk space left. Free some space, then run the command again.',
        )
    }
  })

  test('reports an unexpected error as a bug and logs its stack trace', () => {
    const { lines, log } = recordingLog()
    const error = new TypeError('x is not a function')
    const message = describeStartFailure(error, { dataDir: '/srv/data', log })
    assert.match(message, /^An unexpected error occurred: x is not a function\nThe log entry before/)
    assert.deepEqual(lines[0]?.details, { stack: error.stack })
  })
})

describe('a database that cannot be used', () => {
  const start = (DATABASE_URL: string) => failureInProcess({ DATABASE_URL })

  test('reports the address and the cause if nothing listens at the database address', async () => {
    const port = await freePort()
    const { code, message } = await failedStart({ environment: { DATABASE_URL: databaseUrl({ port }) } })
    assert.equal(code, 1)
    assert.match(
      message,
      new RegExp(`The database at 127.0.0.1:${port} did not become available .* \\(nothing accepts`),
    )
  })

  test('reports the address and the cause if the database host is unknown', async () => {
    const message = await start(databaseUrl({ host: 'db.invalid', port: 6432 }))
    assert.match(
      message,
      /The database at db\.invalid:6432 .* \(the host name (is unknown|cannot be looked up)\)/,
    )
  })

  test('explains how to create the database if it does not exist', async () => {
    const message = await start(databaseUrl({ database: 'absent' }))
    assert.match(message, /The server at 127\.0\.0\.1:\d+ has no database "absent"\. Create it/)
  })

  test('reports that the database server does not support TLS if the URL requires TLS', async () => {
    const message = await start(`${databaseUrl({})}?sslmode=require`)
    assert.match(message, /does not support TLS, .* remove sslmode/)
  })

  test('reports the path of a missing certificate file', async () => {
    const message = await start(`${databaseUrl({})}?sslrootcert=/absent/ca.pem`)
    assert.match(message, /\/absent\/ca\.pem does not exist/)
  })

  test('reports that the database rejects an unknown user', async () => {
    const message = await start(databaseUrl({ user: 'stranger' }))
    assert.match(message, /rejects connections from the user "stranger"|role "stranger" does not exist/)
  })

  test('refuses to start with a database that a newer version has migrated', async () => {
    const client = new pg.Client(clone.connection)
    await client.connect()
    await client.query(
      `insert into schema_migrations (number, name, sha256) values (9999, '9999-later.sql', 'x')`,
    )
    const message = await start(databaseUrl({}))
    await client.query('delete from schema_migrations where number = 9999')
    await client.end()
    assert.match(
      message,
      /migration 9999-later\.sql, which this version does not include\. Start the version/,
    )
  })
})
