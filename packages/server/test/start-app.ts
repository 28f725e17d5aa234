import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import type { Deps } from '../src/deps.ts'
import { cloneDatabase, databaseUrl } from './database.ts'

let previousStart: Promise<unknown> = Promise.resolve()

type StartedApp = { deps: Deps; stop: () => Promise<void> }

/**
 * Starts a service with its own database in this process. Returns a function that stops the service and deletes the
 * database, and what its jobs use. The files of a group call this at the same time. Their services start one after another, because together
 * they would keep this process too busy to open connections to the database in time.
 */
export function startApp(environment: Record<string, string>): Promise<StartedApp> {
  const start = previousStart.then(() => startNext(environment))
  previousStart = start.catch(() => {})
  return start
}

async function startNext(environment: Record<string, string>): Promise<StartedApp> {
  const { connection, drop } = await cloneDatabase()
  const config = readConfig({ ...environment, DATABASE_URL: databaseUrl(connection) })
  const app = await createApp(config, {
    log: pino({ level: config.logLevel }, pino.destination(2)),
    // A job that runs every minute could change what a test has prepared.
    schedulesJobs: false,
  })
  return { deps: app.deps, stop: () => app.close().finally(drop) }
}
