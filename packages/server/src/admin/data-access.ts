import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { requireFolderOfUser } from '../data-folder.ts'
import type { Connection } from '../database/connect.ts'
import { connectToRunningDatabase } from '../database/embedded-database.ts'
import { acquireInstanceLock } from '../lib/instance-lock.ts'
import { Problem } from '../lib/problem.ts'
import { provideDatabase } from '../provide-database.ts'

type Closers = (() => Promise<void>)[]

/** Returns the settings with an absolute data folder. Throws if the folder does not exist or belongs to another user. */
export async function requireDataFolder(settings: Config): Promise<Config> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) }
  if (!existsSync(config.dataDir))
    throw new Problem(
      'not_found',
      'data_folder.missing',
      `The data folder ${config.dataDir} does not exist. Set QUAYSIDE_DATA_DIR to the same value as for the server.`,
    )
  await requireFolderOfUser(config.dataDir)
  return config
}

/**
 * Returns a connection to the database in DATABASE_URL or to the database of the running service. If there is neither,
 * starts the embedded database.
 */
export async function connectToAnyDatabase(
  config: Config,
  { log, closers }: { log: Logger; closers: Closers },
): Promise<Connection> {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url !== undefined) return { connectionString: url }
  requireEmbeddedDatabase(config)
  try {
    const lock = await acquireInstanceLock(config.dataDir)
    closers.push(() => lock.release())
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'instance.running') throw error
    const { connection, close } = await connectToRunningDatabase(config.dataDir)
    closers.push(close)
    return connection
  }
  return (await provideDatabase(config, log, closers)).connection
}

/** Throws if the data folder contains no embedded database, so that a command never creates one. */
export function requireEmbeddedDatabase({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (existsSync(resolve(dataDir, 'postgres'))) return
  throw new Problem(
    'not_found',
    'data_folder.missing',
    `The data folder ${dataDir} contains no embedded database. Set QUAYSIDE_DATA_DIR to the same value as for the server.`,
  )
}
