import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { Db } from '../database/transaction.ts'
import { restoreReferencedBytes } from '../features/uploads/quarantine.ts'
import { expireAllLeases } from '../features/uploads/upload-lease.db.ts'
import { ensureFirstWorkspace } from '../features/workspace/workspace.db.ts'
import type { Backends } from '../http/edge-server.ts'
import { createClientAddress } from '../http/wire/client-address.ts'
import type { CustomStores } from '../storage/custom/custom-stores.ts'
import { createRoutedDriver } from '../storage/custom/routed-driver.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { claimStorage } from '../storage/installation/installation.ts'
import { createRelay, withRelay } from '../storage/transfer/relay-endpoint.ts'
import { createRelayedDriver } from '../storage/transfer/relayed-driver.ts'
import { createUrlSigner } from '../storage/transfer/signed-url.ts'
import { ensureFirstKeyFile, warnOfFirstKey } from './first-start.ts'
import { prepareMasterSecret } from './master-secret.ts'
import { openDatabase, type OpenDatabase } from './open-database.ts'
import type { ProvidedDatabase } from './provide-database.ts'
import { openCustomStores, provideConfiguredStorage, type ProvidedStorage } from './provide-storage.ts'
import type { StartContext } from './start-context.ts'
import type { Listener } from './start-listener.ts'

export type State = {
  database: OpenDatabase
  /** The storage of the installation itself. */
  hostedStorage: StorageDriver
  customStores: CustomStores
  /** The storage of all applications. */
  storage: StorageDriver
  /** Handle every path under /storage/. */
  storageHandlers: Backends['storage']
  secretBox: SecretBox
  secrets: { secret: string; previousSecret: string | undefined }
  workspaceId: string
  /** The path of the file that contains the first key; undefined once the file has been deleted. */
  firstKeyPath: string | undefined
}

export type Opening = { listener: Listener; providedDatabase: ProvidedDatabase }

/** Opens what outlives the process: the database, the storage and the secrets. Creates the first workspace and key. */
export async function openState(
  { listener, providedDatabase }: Opening,
  context: StartContext,
): Promise<State> {
  const { config, telemetry, groupId, isSoleService } = listener
  const { log, clock, closers } = context
  const { dataDir, publicUrl } = config
  const database = await openDatabase(config, providedDatabase, {
    ...context,
    observeStatement: telemetry.observeStatement,
  })
  const { db } = database
  const provided = await provideConfiguredStorage(config, db, { ...context, telemetry })
  await claimStorage(db, provided.identity)
  const { secretBox, ...secrets } = await prepareMasterSecret({ db, dataDir, config, log })
  if (isSoleService) {
    await expireAllLeases(db)
    await rm(join(dataDir, 'scratch'), { recursive: true, force: true })
  }
  const { id: workspaceId } = await ensureFirstWorkspace(db)
  await warnOfFirstKey(db, workspaceId, log)
  const firstKeyPath =
    config.role !== 'worker' && config.bootstrapKey === undefined
      ? await ensureFirstKeyFile(db, dataDir, workspaceId)
      : undefined
  const hosted = await provided.open({ db, publicUrl, secrets, isSoleService, groupId })
  await restoreReferencedBytes({ db, storage: hosted.driver, log })
  const customStores = openCustomStores({ config, db, secretBox, clock, log, closers, telemetry })
  return {
    database,
    hostedStorage: hosted.driver,
    customStores,
    ...connectStores({ hosted, customStores, db, secrets }, listener, context),
    secretBox,
    secrets,
    workspaceId,
    firstKeyPath,
  }
}

type Stores = Pick<State, 'customStores' | 'secrets'> & { hosted: ProvidedStorage; db: Db }

/** Combines the stores of all applications, and relays what clients cannot do with a bucket. */
function connectStores(
  { hosted, customStores, db, secrets }: Stores,
  { config, telemetry }: Listener,
  { log, clock }: StartContext,
): Pick<State, 'storage' | 'storageHandlers'> {
  const { publicUrl, trustedProxies } = config
  const stores = createRoutedDriver({ hosted: hosted.driver, stores: customStores, log })
  const signer = createUrlSigner({ ...secrets, publicUrl }, 'relay')
  const clientOf = createClientAddress(trustedProxies)
  const relay = createRelay({
    db,
    storage: stores,
    signer,
    clock,
    log,
    metrics: telemetry.metrics,
    networkOf: (request) => clientOf(request).network,
  })
  return {
    storage: createRelayedDriver({ driver: stores, signer, publicUrl, clock }),
    storageHandlers: withRelay(hosted.endpoint, relay),
  }
}
