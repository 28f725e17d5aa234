import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { connectDatabase, type Connection } from '../../database/connect.ts'
import { connectToRunningDatabase } from '../../database/embedded-database.ts'
import type { Db } from '../../database/transaction.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { Problem, problem } from '../../lib/problem.ts'
import { requireFolderOfUser } from '../../start/data-folder.ts'
import { acquireInstanceLock } from '../../start/instance-lock.ts'
import { prepareMasterSecret } from '../../start/master-secret.ts'
import { provideDatabase } from '../../start/provide-database.ts'
import { openCustomStores, provideConfiguredStorage } from '../../start/provide-storage.ts'
import { listStoreIds } from '../../storage/custom/custom-store.db.ts'
import { createRoutedDriver, type StoreDrivers } from '../../storage/custom/routed-driver.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import type { BackupBucket } from '../backup/backup-bucket.ts'
import type { BucketLocation } from '../backup/backup-location.ts'
import type { UnusableStores } from './unusable-stores.ts'

type Closers = (() => Promise<void>)[]

/** Returns whether the data folder contains the database or the files. */
export const usesDataFolder = ({ databaseUrl, storage, previousStorage }: Config): boolean =>
  databaseUrl === undefined || storage.kind === 'local' || previousStorage?.kind === 'local'

/** Returns the settings with an absolute data folder. Throws if the folder does not exist or belongs to another user. */
export async function requireDataFolder(settings: Config): Promise<Config> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) }
  if (!existsSync(config.dataDir)) throw dataFolderMissing({ dataDir: config.dataDir })
  await requireFolderOfUser(config.dataDir)
  return config
}

const dataFolderMissing = problem(
  'not_found',
  'data_folder.missing',
  'The data folder {dataDir} does not exist. Set QUAYSIDE_DATA_DIR to the same value as for the server.',
)

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

type Installation = { config: Config; connection: Connection; db: Db; storage: StorageDriver }

/**
 * Opens the database and storage of an installation, whether the server is running or not. Throws if they do not belong
 * together. The driver cannot sign URLs that the server accepts, and reaches no custom stores.
 */
export async function openInstallation(
  settings: Config,
  { log, closers }: { log: Logger; closers: Closers },
): Promise<Installation> {
  const config = usesDataFolder(settings) ? await requireDataFolder(settings) : settings
  const connection = await connectToAnyDatabase(config, { log, closers })
  const { db, close } = connectDatabase({
    connection,
    maxConnections: 4,
    log,
    statementTimeoutSeconds: 0,
    queueTimeoutSeconds: 60,
  })
  closers.push(() => close())
  const context = { clock: createSystemClock(), log, closers, stopping: undefined }
  const provided = await provideConfiguredStorage(config, db, context)
  await assertSameInstallation(db, provided.identity)
  const { driver } = await provided.open({
    db,
    publicUrl: config.publicUrl,
    secrets: { secret: randomBytes(32).toString('hex') },
    isSoleService: false,
    groupId: undefined,
  })
  return { config, connection, db, storage: driver }
}

type StorageWithStores = {
  /** Also reaches the custom stores. */
  storage: StorageDriver
  stores: StoreDrivers
}

const noStores: StoreDrivers = {
  listIds: async () => [],
  open: async (id) => {
    throw new Error(`there is no custom store ${id}`)
  },
}

/** Opens the custom stores and adds those that cannot be used to `unusable`. Reads the master secret only if there are any. */
export async function withCustomStores(
  { config, db, storage: hosted }: Pick<Installation, 'config' | 'db' | 'storage'>,
  { log, closers, unusable }: { log: Logger; closers: Closers; unusable: UnusableStores },
): Promise<StorageWithStores> {
  if ((await listStoreIds(db)).length === 0) return { storage: hosted, stores: noStores }
  const { secretBox } = await prepareMasterSecret({ db, dataDir: config.dataDir, config, log })
  const context = { config, db, secretBox, clock: createSystemClock(), log, closers }
  const stores = openCustomStores({ ...context, onProblem: (id, error) => unusable.add(id, error) })
  return { storage: createRoutedDriver({ hosted, stores, log }), stores }
}

/** Opens the location of backups in a bucket. */
export async function openBackups(
  location: BucketLocation,
  { config, closers }: { config: Pick<Config, 'backupStore'>; closers: Closers },
): Promise<BackupBucket> {
  // The client of AWS takes long to load, and a backup in a folder does not need it.
  const { openBackupBucket } = await import('../backup/backup-bucket.ts')
  const bucket = openBackupBucket(config.backupStore, location)
  closers.push(async () => bucket.close())
  return bucket
}

/** Throws if the data folder contains no embedded database, so that a command never creates one. */
export function requireEmbeddedDatabase({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (existsSync(resolve(dataDir, 'postgres'))) return
  throw embeddedDatabaseMissing({ dataDir })
}

const embeddedDatabaseMissing = problem(
  'not_found',
  'data_folder.missing',
  'The data folder {dataDir} contains no embedded database. Set QUAYSIDE_DATA_DIR to the same value as for the server.',
)
