import { pino } from 'pino'
import type { App } from './app.ts'
import { readConfig, type Config } from './config/config.ts'
import { Problem } from './lib/problem.ts'
import { describeStartFailure } from './start/start-failure.ts'
import { welcome } from './start/welcome.ts'

const config = readSettings()
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
for (const warning of config.warnings) log.warn(warning)
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

// On Ctrl-C, the service receives the signal both from the terminal and from npm. Signals this close together therefore
// count as one.
const sameSignalMs = 1_000
let forceExit = (): void => process.exit(130)
// The handlers are registered before startup, so that a signal during startup also stops the embedded database.
const shutdownRequested = new Promise<string>((resolve) => {
  let firstSignalAt: number | undefined
  // The terminal sends SIGHUP when it is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
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
// From here on, a second signal only closes connections, because PostgreSQL must still shut down cleanly.
forceExit = () => app.closeConnections()
const { isTTY, columns } = process.stdout
process.stdout.write(welcome(app, process.cwd(), { terminal: { isTTY, columns, env: process.env } }))
await stop(await shutdownRequested)

function readSettings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail((error as Error).message, 78)
  }
}

async function start(): Promise<App> {
  try {
    // Loading the service takes almost a second, so invalid settings are reported first.
    const { createApp } = await import('./app.ts')
    return await createApp(config, { log, stopping: stopping.signal })
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0)
    const isInvalidSetting = error instanceof Problem && error.code.startsWith('config.')
    return fail(describeStartFailure(error, { dataDir: config.dataDir, log }), isInvalidSetting ? 78 : 1)
  }
}

async function stop(reason: string): Promise<never> {
  log.info(`${reason}: stopping`)
  await app.close()
  process.exit(0)
}

/**
 * Calls `callback` once npm has exited. The service does not receive a signal if npm is killed with `kill -9`, but it
 * must stop in that case too.
 */
function onNpmExit(callback: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    callback()
  }, 200).unref()
}

function fail(text: string, exitCode: number): never {
  process.stderr.write(`Quayside cannot start: ${text}\n`)
  process.exit(exitCode)
}
