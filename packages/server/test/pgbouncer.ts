import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './acceptance/free-port.ts'
import type { ServerConnection } from './postgres-server.ts'
import { until } from './until.ts'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).error === undefined

type Options = {
  /** The statements that PgBouncer runs in each new session of the server. */
  connectQuery?: string
}

/** Starts PgBouncer in transaction mode with three sessions in front of a database. */
export async function startPgBouncer(target: ServerConnection, { connectQuery = '' }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-pgbouncer-'))
  const port = await freePort()
  const query = connectQuery === '' ? '' : ` connect_query='${connectQuery.replaceAll("'", "''")}'`
  const lines = [
    '[databases]',
    `${target.database} = host=${target.host} port=${target.port} user=${target.user} dbname=${target.database}${query}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    'max_client_conn = 200',
    'server_login_retry = 1',
  ]
  const path = join(folder, 'pgbouncer.ini')
  await writeFile(path, `${lines.join('\n')}\n`)
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const child = spawn('pgbouncer', [path], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const connection: ServerConnection = { ...target, host: '127.0.0.1', port }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await until('PgBouncer accepts connections', async () => {
    if (hasEnded()) throw new Error(`PgBouncer did not start: ${output}`)
    return canConnect(connection)
  })
  return {
    connection,
    async stop(): Promise<void> {
      const exited = once(child, 'exit')
      if (!hasEnded()) {
        child.kill('SIGKILL')
        await exited
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canConnect(connection: ServerConnection): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
