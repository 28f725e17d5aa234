import { pino } from 'pino'
import { createApp, type App } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { Problem } from './lib/problem.ts'
import { welcome } from './welcome.ts'

const config = readSettings()
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

// The terminal sends Ctrl-C to the service and npm forwards it again, so signals this close together count as one.
const sameSignalMs = 1_000
let forceExit = (): void => process.exit(130)
// Registered before startup, so that a signal during startup also stops the database.
const shutdownRequested = new Promise<string>((resolve) => {
  let firstSignalAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      firstSignalAt ??= performance.now()
      resolve(signal)
      if (performance.now() - firstSignalAt > sameSignalMs) forceExit()
    })
  }
  onNpmExit(() => {
    resolve('npm exited')
    forceExit()
  })
})
const stopping = new AbortController()
void shutdownRequested.then(() => stopping.abort())
const app = await start()
// From now on, another signal only closes connections, because PostgreSQL must still shut down cleanly.
forceExit = () => app.closeConnections()
process.stdout.write(welcome(app))
await stop(await shutdownRequested)

function readSettings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error, 78)
  }
}

async function start(): Promise<App> {
  try {
    return await createApp(config, { log, stopping: stopping.signal })
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0)
    return fail(error, 1)
  }
}

async function stop(reason: string): Promise<never> {
  log.info(`${reason}: stopping`)
  await app.close()
  process.exit(0)
}

/** Calls `callback` when npm has exited. `kill -9` on npm sends the service no signal, but it must stop too. */
function onNpmExit(callback: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    callback()
  }, 200).unref()
}

function fail(error: unknown, exitCode: number): never {
  const text = error instanceof Problem ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`Quayside cannot start: ${text}\n`)
  process.exit(exitCode)
}
