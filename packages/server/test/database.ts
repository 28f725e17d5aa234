import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { sendSignal } from '@quayside/embedded-postgres/processes'
import pg from 'pg'
import {
  type ServerConnection,
  startTestServer,
  templateDatabase,
  type TestServer,
} from './postgres-server.ts'

export type TestDatabase = { connection: ServerConnection; drop: () => Promise<void> }

let ownServer: Promise<TestServer> | undefined
let cloneCount = 0

/**
 * Creates a migrated database, or a copy of `template`, which must not be in use. `drop()` deletes the new database.
 * A test file that is run directly starts its own server, which stops when its last database is dropped.
 */
export async function cloneDatabase(template = templateDatabase): Promise<TestDatabase> {
  cloneCount++
  const server = await runServer()
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await maintain(server, `create database ${database} template ${template} strategy file_copy`)
  const drop = async () => {
    await maintain(server, `drop database ${database} with (force)`)
    if (--cloneCount > 0 || ownServer === undefined) return
    const { stop } = await ownServer
    ownServer = undefined
    await stop()
  }
  return { connection: { ...server, database }, drop }
}

/** Returns the value of DATABASE_URL for a database. */
export function databaseUrl({ host, port, user, database }: ServerConnection): string {
  const parameters = new URLSearchParams({ host, port: String(port) })
  return `postgresql://${user}@localhost/${database}?${parameters.toString()}`
}

async function runServer(): Promise<ServerConnection> {
  const inherited = process.env['QUAYSIDE_TEST_POSTGRES']
  if (inherited !== undefined) return JSON.parse(inherited) as ServerConnection
  ownServer ??= startOwnServer()
  return (await ownServer).connection
}

async function startOwnServer(): Promise<TestServer> {
  const server = await startTestServer()
  let stopped = false
  process.once('exit', () => {
    if (stopped) return
    // If a failed test did not drop its database, the server is still running. An exit handler cannot wait for a clean
    // shutdown, so the server is killed.
    sendSignal(server.pid, 'SIGQUIT')
    rmSync(server.dataDir, { recursive: true, force: true })
  })
  const stop = async () => {
    stopped = true
    await server.stop()
  }
  return { ...server, stop }
}

async function maintain(server: ServerConnection, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
