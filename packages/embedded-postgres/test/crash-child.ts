import { startEmbeddedPostgres } from '../src/start.ts'

// A service that tests can kill. It starts PostgreSQL in a given folder, prints the connection and runs until SIGTERM.
const log = { info: () => {}, warn: console.error, error: console.error }
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', name: 'embedded_test', log })
const alive = setInterval(() => {}, 1_000)
process.once('SIGTERM', () => {
  clearInterval(alive)
  void server.stop()
})
process.stdout.write(`${JSON.stringify({ connection: server.connection, serverPid: server.pid() })}\n`)
