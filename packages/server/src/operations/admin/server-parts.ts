import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { connectDatabase, type Connection } from '../../database/connect.ts'
import { pendingMigrations, readMigrations } from '../../database/schema/migration-files.ts'
import type { Db } from '../../database/transaction.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { problem } from '../../lib/problem.ts'
import { prepareMasterSecret } from '../../start/master-secret.ts'
import { migrationsFolder } from '../../start/provide-database.ts'
import { openCustomStores, provideConfiguredStorage } from '../../start/provide-storage.ts'
import { createRoutedDriver } from '../../storage/custom/routed-driver.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import { listAppliedMigrations } from '../import/import.db.ts'
import { connectToAnyDatabase, requireDataFolder } from './data-access.ts'

/** The parts of a server that a command uses, also while the server is running. */
export type ServerParts = {
  config: Config
  connection: Connection
  db: Db
  storage: StorageDriver
  secret: string
  secretBox: SecretBox
}

/** Opens the database and the storage of a server. Throws if this version has never been started with them. */
export async function openServerParts(
  settings: Config,
  { log, closers }: { log: Logger; closers: (() => Promise<void>)[] },
): Promise<ServerParts> {
  const config = await requireDataFolder(settings)
  const connection = await connectToAnyDatabase(config, { log, closers })
  // Inserting many rows takes longer than the statements of a request.
  const limits = { statementTimeoutSeconds: 0, lockTimeoutSeconds: 60 }
  const { db, close } = connectDatabase({ connection, maxConnections: 8, log, ...limits })
  closers.push(close)
  await requireCurrentDatabase(db)
  const secrets = await prepareMasterSecret({ db, dataDir: config.dataDir, config, log })
  const context = { clock: createSystemClock(), log, closers, stopping: undefined }
  const provided = await provideConfiguredStorage(config, db, context)
  await assertSameInstallation(db, provided.identity)
  const { driver: hosted } = await provided.open({
    db,
    publicUrl: config.publicUrl,
    secrets,
    isSoleService: false,
    groupId: undefined,
  })
  const stores = openCustomStores({ ...context, config, db, secretBox: secrets.secretBox })
  const storage = createRoutedDriver({ hosted, stores, log })
  return { config, connection, db, storage, secret: secrets.secret, secretBox: secrets.secretBox }
}

async function requireCurrentDatabase(db: Db): Promise<void> {
  const pending = pendingMigrations(await readMigrations(migrationsFolder), await listAppliedMigrations(db))
  if (pending.length === 0) return
  throw databaseOutdated()
}

const databaseOutdated = problem(
  'conflict',
  'database.outdated',
  'The database was last used by an earlier version. Start this version of the server once, and try again.',
)
