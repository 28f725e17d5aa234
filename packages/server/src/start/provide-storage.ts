import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { StorageSettings } from '../config/storage.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { Db } from '../database/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { Problem, problem } from '../lib/problem.ts'
import { waitUntilAvailable, type WaitOptions } from '../lib/wait-until-available.ts'
import { createAddressRules } from '../net/address-rules.ts'
import { findCompletedUpload } from '../storage/completed-upload.db.ts'
import { createCustomStores, type CustomStores } from '../storage/custom/custom-stores.ts'
import type { StorageDriver, StorageIdentity } from '../storage/driver.ts'
import { findInstallationId } from '../storage/installation/installation.db.ts'
import { shareInstallation } from '../storage/installation/installation.ts'
import { createLocalDriver } from '../storage/local/local-driver.ts'
import { createLocalIdentity } from '../storage/local/local-identity.ts'
import { createMigratingDriver } from '../storage/objects/migrating-driver.ts'
import { locateByEtag, locateByName, type StoreLocator } from '../storage/objects/store-locator.ts'
import { findStoredObject } from '../storage/objects/stored-objects.db.ts'
import type { S3Driver } from '../storage/s3/s3-driver.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type ProvidedStorage = {
  driver: StorageDriver
  /** Handles every path under /storage/. */
  endpoint: { handle: Handler; handleContinue: Handler }
}

type LocalOptions = {
  db: Db
  publicUrl: string
  secrets: { secret: string; previousSecret?: string | undefined }
  isSoleService: boolean
  groupId: number | undefined
}

type Storage = {
  /** The driver of a bucket; undefined for a folder. */
  s3: S3Driver | undefined
  identity: StorageIdentity
  /** Opens the driver. The caller must have checked the identity. */
  open(options: LocalOptions): Promise<ProvidedStorage>
}

export type StorageContext = {
  clock: Clock
  log: Logger
  closers: (() => Promise<void>)[]
  /** The database of the service that sweeps the storage. */
  db?: Db
  /** Commands record nothing. */
  telemetry?: Pick<Telemetry, 'metrics' | 'observeStorage'>
}

/** Prepares a storage without creating anything in it. Adds the function that closes it to `closers`. */
export async function provideStorage(
  storage: StorageSettings,
  config: Pick<Config, 'dataDir' | 'diskReserve' | 'accelRedirectPrefix'>,
  { clock, log, closers, db, telemetry }: StorageContext,
): Promise<Storage> {
  const observe: Telemetry['observeStorage'] = telemetry?.observeStorage ?? ((driver) => driver)
  if (storage.kind === 's3') {
    // The client of AWS takes long to load, and most services do not need it.
    const { createS3Driver } = await import('../storage/s3/s3-driver.ts')
    const driver = createS3Driver({
      settings: storage,
      clock,
      log,
      ...(db && { findCompletedUpload: (key) => findCompletedUpload(db, key) }),
    })
    closers.push(() => driver.close())
    const endpoint = { handle: refuse, handleContinue: refuse }
    return {
      s3: driver,
      identity: driver.identity,
      open: async () => ({ driver: observe(driver), endpoint }),
    }
  }
  const directory = resolve(config.dataDir, 'storage')
  return {
    s3: undefined,
    identity: createLocalIdentity(directory),
    async open({ db, publicUrl, secrets, isSoleService, groupId }) {
      const driver = await createLocalDriver({
        directory,
        publicUrl,
        ...secrets,
        clock,
        log,
        ...(telemetry && { metrics: telemetry.metrics }),
        findObject: (key) => findStoredObject(db, key),
        isSoleUser: isSoleService,
        diskReserve: config.diskReserve,
        accelRedirectPrefix: config.accelRedirectPrefix,
        groupId,
      })
      closers.push(() => driver.close())
      return { driver: observe(driver), endpoint: driver }
    },
  }
}

/**
 * Prepares the configured storage. While files are being migrated, this is the current and the previous storage, which
 * then belong to the same installation.
 */
export async function provideConfiguredStorage(
  config: Config,
  db: Db,
  { stopping, ...others }: StorageContext & { stopping: AbortSignal | undefined },
): Promise<Storage> {
  const context = { ...others, db }
  const stores = [await provideStorage(config.storage, config, context)]
  if (config.previousStorage !== undefined)
    stores.push(await provideStorage(config.previousStorage, config, context))
  const timeoutSeconds = config.databaseWaitSeconds
  for (const { s3, identity } of stores)
    if (s3 !== undefined) await waitForStorage(identity, { log: context.log, timeoutSeconds, stopping })
  const [current, previous] = stores as [Storage, Storage | undefined]
  if (previous === undefined) return current
  await shareInstallation(db, [current.identity, previous.identity])
  return {
    ...current,
    async open(options) {
      const opened = { current: await current.open(options), previous: await previous.open(options) }
      const [currentDriver, previousDriver] = [opened.current.driver, opened.previous.driver]
      const driver = createMigratingDriver({
        current: currentDriver,
        previous: previousDriver,
        locator: createLocator(
          { ...current, driver: currentDriver },
          { ...previous, driver: previousDriver },
        ),
        findObject: (key) => findStoredObject(db, key),
      })
      return { driver, endpoint: (current.s3 === undefined ? opened.current : opened.previous).endpoint }
    },
  }
}

type OpenedStore = Pick<Storage, 's3'> & { driver: StorageDriver }

/** Returns how files are located while they are copied from the previous to the current store. */
export function createLocator(current: OpenedStore, previous: OpenedStore): StoreLocator {
  const { s3 } = current
  if (s3 === undefined) return locateByName({ local: current.driver, s3: previous.driver })
  if (previous.s3 === undefined) return locateByName({ local: previous.driver, s3: current.driver })
  const hasUpload: S3Driver['hasUpload'] = (key, multipartId) => s3.hasUpload(key, multipartId)
  return locateByEtag({ current: current.driver, previous: previous.driver, hasUpload })
}

/** Opens the custom stores of applications, to which nothing is sent until they are used. */
export function openCustomStores({
  config,
  db,
  secretBox,
  clock,
  log,
  closers,
  telemetry,
  onProblem,
}: StorageContext & {
  config: Pick<Config, 'publicUrl' | 'customStoreAllowPrivate'>
  db: Db
  secretBox: SecretBox
  /** Called with each error because of which a store cannot be used. */
  onProblem?: (storeId: string, error: unknown) => void
}): CustomStores {
  const stores = createCustomStores({
    db,
    secretBox,
    findInstallationId: () => findInstallationId(db),
    rules: createAddressRules(config.customStoreAllowPrivate),
    publicUrl: config.publicUrl,
    clock,
    log,
    observe: telemetry?.observeStorage ?? ((driver) => driver),
    ...(onProblem && { onProblem }),
  })
  closers.push(() => stores.close())
  return stores
}

/** Rejects a request to /storage/, because S3 receives and sends the files. */
function refuse(_request: IncomingMessage, response: ServerResponse): void {
  const { status, code, message } = filesInBucket()
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    .end(JSON.stringify({ message, code }))
}

const filesInBucket = problem('not_found', 'storage.not_here', 'Files are in S3. Request a new URL.')

/**
 * Waits until storage responds, because it may be started at the same time as this service. Throws
 * `storage.unreachable` after the timeout.
 */
const waitForStorage = (identity: StorageIdentity, options: WaitOptions): Promise<void> =>
  waitUntilAvailable(
    {
      findProblem: () => findProblem(identity),
      describe: ({ cause, message }) => (cause instanceof Error ? describeCause(cause) : message),
      explain: (reason, cause) => storageUnreachable({ location: identity.location, reason }, { cause }),
      waiting: 'storage is not available yet: waiting for it',
      retryMs: 500,
    },
    options,
  )

const storageUnreachable = problem(
  'unavailable',
  'storage.unreachable',
  'The storage {location} cannot be used ({reason}). Check the QUAYSIDE_S3 settings with: quayside-server admin storage-setup',
)

const describeCause = ({ name, message }: Error): string =>
  name === 'Error' || message.includes(name) ? message : `${name}: ${message}`

async function findProblem(identity: StorageIdentity): Promise<Problem | undefined> {
  try {
    await identity.findId()
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') return error
    throw error
  }
}
