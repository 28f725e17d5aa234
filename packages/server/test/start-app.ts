import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { cloneDatabase, databaseUrl } from './database.ts'

let previousStart: Promise<unknown> = Promise.resolve()

/**
 * Starts a service with its own database in this process. Returns the function that stops the service and deletes the
 * database. The files of a group call this at the same time. Their services start one after another, because together
 * they would keep this process too busy to open connections to the database in time.
 */
export function startApp(environment: Record<string, string>): Promise<() => Promise<void>> {
  const start = previousStart.then(() => startNext(environment))
  previousStart = start.catch(() => {})
  return start
}

async function startNext(environment: Record<string, string>): Promise<() => Promise<void>> {
  const { connection, drop } = await cloneDatabase()
  const config = readConfig({ ...environment, DATABASE_URL: databaseUrl(connection) })
  const app = await createApp(config, {
    log: pino({ level: config.logLevel }, pino.destination(2)),
    // A job that runs every minute could change what a test has prepared.
    schedulesJobs: false,
  })
  return () => app.close().finally(drop)
}
