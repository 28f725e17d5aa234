import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start.ts'

// Stands for the service in tests that kill it: starts PostgreSQL on the folder given, says so, runs until SIGTERM.
const log = { info: () => {}, warn: console.error, error: console.error }
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log })
const alive = setInterval(() => {}, 1_000)
process.once('SIGTERM', () => {
  clearInterval(alive)
  void server.stop()
})
process.stdout.write(`${JSON.stringify({ connection: server.connection, serverPid: server.pid() })}\n`)
