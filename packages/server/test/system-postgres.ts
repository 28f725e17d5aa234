import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './acceptance/free-port.ts'
import type { ServerConnection } from './postgres-server.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** The programs of the PostgreSQL server that the system provides, of which the newest version is used. */
const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)

export const hasSystemPostgres = programs !== undefined

export type SystemPostgres = Awaited<ReturnType<typeof startSystemPostgres>>

const settings = {
  listen_addresses: `'127.0.0.1'`,
  unix_socket_directories: `''`,
  max_connections: '300',
  shared_buffers: '32MB',
  max_wal_senders: '4',
  wal_level: 'replica',
  hot_standby: 'on',
  autovacuum: 'off',
  full_page_writes: 'off',
  wal_receiver_status_interval: '1s',
  fsync: 'off',
}

/** The account that runs the server, because PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Starts the PostgreSQL server of the system on a loopback port, with an empty database. */
export async function startSystemPostgres(extra: Record<string, string> = {}) {
  const server = await prepareServer()
  await run(
    join(programs ?? '', 'initdb'),
    ['-D', server.dataDir, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      ...account,
      cwd: server.folder,
    },
  )
  const lines = Object.entries({ ...settings, ...extra }).map(([name, value]) => `${name} = ${value}\n`)
  await appendFile(join(server.dataDir, 'postgresql.conf'), lines.join(''))
  await server.start()
  await server.query('create role quayside login')
  await server.query('create database service owner quayside')
  return server
}

/** Starts a streaming replica of a server. */
export async function startReplicaOf(primary: SystemPostgres) {
  const server = await prepareServer()
  const { host, port } = primary.connection
  const url = `postgres://postgres@${host}:${port}`
  const options = ['-D', server.dataDir, '-d', url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await run(join(programs ?? '', 'pg_basebackup'), options, { ...account, cwd: server.folder })
  await server.start()
  return server
}

async function prepareServer() {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-system-postgres-'))
  const dataDir = join(folder, 'data')
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const port = await freePort()
  const connection: ServerConnection = {
    host: '127.0.0.1',
    port,
    user: 'quayside',
    database: 'service',
    ssl: false,
  }
  let child: ChildProcess | undefined
  let output = ''
  let tls: false | { rejectUnauthorized: false } = false

  async function query<Row extends object>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({
      ...connection,
      user: 'postgres',
      ssl: tls,
      database,
      connectionTimeoutMillis: 2_000,
    })
    client.on('error', () => {})
    await client.connect()
    return client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }

  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  return {
    folder,
    dataDir,
    connection,
    url: `postgres://quayside@127.0.0.1:${port}/service`,
    /** Runs a statement as the superuser in the database `postgres`, or in another one. */
    query,
    /** Starts the server. `ssl` is how to connect to find out when it is ready. */
    async start({ ssl = false }: { ssl?: false | { rejectUnauthorized: false } } = {}): Promise<void> {
      output = ''
      tls = ssl
      const started = spawn(join(programs ?? '', 'postgres'), ['-D', dataDir, '-p', String(port)], {
        ...account,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child = started
      started.stderr
        .setEncoding('utf8')
        .on('data', (text: string) => (output = `${output}${text}`.slice(-5_000)))
      await until('the server accepts connections', async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${output}`)
        return query('select 1').then(
          () => true,
          () => false,
        )
      })
    },
    /** Stops the server. By default, it closes all connections and shuts down cleanly. */
    stop,
    async writeFile(name: string, content: string): Promise<string> {
      const path = join(folder, name)
      await writeFile(path, content)
      await chmod(path, 0o600)
      if (account.uid !== undefined) await chown(path, account.uid, account.gid)
      return path
    },
    async remove(): Promise<void> {
      await stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
