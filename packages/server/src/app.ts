import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { createSystemClock, type Clock } from './lib/clock.ts'
import type { Behavior, Opened } from './start/open-behind-listener.ts'
import { provideDatabase } from './start/provide-database.ts'
import type { StartContext } from './start/start-context.ts'
import { startListener } from './start/start-listener.ts'

type Options = Behavior & {
  log: Logger
  clock?: Clock
  /** Cancels a startup that is waiting for the database. */
  stopping?: AbortSignal
}

export type App = Opened & { close(): Promise<void> }

/** Starts the service and its HTTP listener. If startup fails, closes everything that was opened. */
export async function createApp(
  settings: Config,
  { log, clock = createSystemClock(), stopping, ...behavior }: Options,
): Promise<App> {
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => log.error({ err: error }, 'shutdown step failed'))
  }
  try {
    const app = await open(settings, behavior, { log, clock, stopping, closers })
    return { ...app, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function open(settings: Config, behavior: Behavior, context: StartContext): Promise<Opened> {
  const listener = await startListener(settings, context)
  // The rest takes half a second to load, in which PostgreSQL starts. No request is served while a module is evaluated, so
  // that loading it first would delay `/livez`.
  const load = () => import('./start/open-behind-listener.ts')
  const providedDatabase = await provideDatabase(
    listener.config,
    context.log,
    context.closers,
    () => void load().catch(() => {}),
  )
  const { openBehindListener } = await load()
  return openBehindListener({ listener, providedDatabase }, behavior, context)
}
