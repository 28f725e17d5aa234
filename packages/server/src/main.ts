import { pino } from 'pino'
import { createApp, type App } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { Problem } from './lib/problem.ts'
import { welcome } from './welcome.ts'

const config = settings()
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

// npm hands on the Ctrl-C that the terminal has sent to the service too: what comes within this time is the same one
const sameSignalMs = 1_000
let hurry = (): void => process.exit(130)
// also while it starts: what is half open is closed in order, so that no database is left behind
const asked = new Promise<string>((resolve) => {
  let askedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      askedAt ??= performance.now()
      resolve(signal)
      if (performance.now() - askedAt > sameSignalMs) hurry()
    })
  }
  whenNpmHasEnded(() => {
    resolve('npm has ended')
    hurry()
  })
})
const app = await start()
// however often it is asked for: npm hands on each Ctrl-C once more, and PostgreSQL must still be ended in order
hurry = () => app.cut()
process.stdout.write(welcome(app))
await stop(await asked)

function settings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error, 78)
  }
}

async function start(): Promise<App> {
  try {
    return await createApp(config, { log })
  } catch (error) {
    return fail(error, 1)
  }
}

async function stop(signal: string): Promise<never> {
  log.info(`${signal}: stopping`)
  await app.close()
  process.exit(0)
}

/** kill -9 of npm tells nobody, and whoever did it believes that the service is gone too. */
function whenNpmHasEnded(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const { ppid } = process
  const watch = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(watch)
    then()
  }, 200).unref()
}

function fail(error: unknown, exitCode: number): never {
  const text = error instanceof Problem ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`Quayside cannot start: ${text}\n`)
  process.exit(exitCode)
}
