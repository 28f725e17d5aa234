import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Connection } from '../database/connect.ts'
import { startEmbeddedDatabase } from '../database/embedded-database.ts'

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

export type ProvidedDatabase = {
  /** The address of PostgreSQL itself. */
  connection: Connection
  location: string | undefined
  isDiskFull?: () => boolean
}

/**
 * Returns the address of PostgreSQL itself. Starts the embedded database unless DATABASE_URL is set, and adds the function
 * that stops it to `closers`. Calls `onSpawn` while it is starting.
 */
export async function provideDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  log: Logger,
  closers: (() => Promise<void>)[],
  onSpawn?: () => void,
): Promise<ProvidedDatabase> {
  const url = databaseDirectUrl ?? databaseUrl
  if (url !== undefined) return { connection: { connectionString: url }, location: undefined }
  const embedded = await startEmbeddedDatabase({ dataDir, log, ...(onSpawn && { onSpawn }) })
  closers.push(() => embedded.stop())
  const { connection, dataLocation: location, isDiskFull } = embedded
  return { connection, location, isDiskFull }
}
