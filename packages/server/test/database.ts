import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { sendSignal } from '../src/database/embedded-postgres/processes.ts'
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
 * A migrated database of its own for a test file, gone with `drop()`. The server is that of the run; a file
 * that is run alone starts one, which stops when its last database is dropped.
 */
export async function cloneDatabase(): Promise<TestDatabase> {
  cloneCount++
  const server = await runServer()
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await maintain(server, `create database ${database} template ${templateDatabase} strategy file_copy`)
  const drop = async () => {
    await maintain(server, `drop database ${database} with (force)`)
    if (--cloneCount > 0 || ownServer === undefined) return
    const { stop } = await ownServer
    ownServer = undefined
    await stop()
  }
  return { connection: { ...server, database }, drop }
}

async function runServer(): Promise<ServerConnection> {
  const given = process.env['QUAYSIDE_TEST_POSTGRES']
  if (given !== undefined) return JSON.parse(given) as ServerConnection
  ownServer ??= startOwnServer()
  return (await ownServer).connection
}

async function startOwnServer(): Promise<TestServer> {
  const server = await startTestServer()
  let stopped = false
  process.once('exit', () => {
    if (stopped) return
    // a failed test may have left its database: nothing can be awaited any more
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
