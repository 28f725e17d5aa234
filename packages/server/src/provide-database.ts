import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Connection } from './database/connect.ts'
import { startEmbeddedDatabase } from './database/embedded-database.ts'

export const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url))

/** Starts the embedded database unless DATABASE_URL is set. Adds the function that stops it to `closers`. */
export async function provideDatabase(
  { databaseUrl, dataDir }: Config,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<{ connection: Connection; location: string | undefined }> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, location: undefined }
  const embedded = await startEmbeddedDatabase({ dataDir, log })
  closers.push(() => embedded.stop())
  return { connection: embedded.connection, location: embedded.dataLocation }
}
