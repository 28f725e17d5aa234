import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import type { Db } from '../../database/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { limitConcurrency } from '../../lib/concurrency.ts'
import type { AddressRules } from '../../net/address-rules.ts'
import { createGuardedAgents, createGuardedFetch } from '../../net/guarded-agents.ts'
import { findCompletedUpload } from '../completed-upload.db.ts'
import type { StorageDriver } from '../driver.ts'
import type { S3Driver } from '../s3/s3-driver.ts'
import { storeUnavailable } from '../storage-errors.ts'
import { findStore, listStoreIds, storeCredentialsContext } from './custom-store.db.ts'
import type { StoreDrivers } from './routed-driver.ts'
import { createStoreDriver, storeOwner } from './store-driver.ts'
import { keyOfStore } from './store-key.ts'
import { createStoreOrigins } from './store-origins.ts'
import type { StoreReport } from './store-report.ts'

export type StoreCredentials = { accessKeyId: string; secretAccessKey: string }

export type StoreSettings = {
  /** Null for AWS. */
  endpoint: string | null
  region: string
  bucket: string
  /** Empty, or a path with a trailing slash. */
  prefix: string
  forcePathStyle: boolean
  acl: 'private' | 'bucket-owner-full-control' | null
  credentials: StoreCredentials
}

export type CustomStores = StoreDrivers & {
  /** Tries everything that the service and its clients do with a store. `id` is the ID that the store has or will have. */
  test(id: string, settings: StoreSettings): Promise<StoreReport>
  /** Writes into the store that it belongs to this installation. The store must have passed the test. */
  claim(id: string, settings: StoreSettings): Promise<void>
  sealCredentials(id: string, credentials: StoreCredentials): Buffer
  openCredentials(id: string, sealed: Uint8Array): StoreCredentials
  /** Lists the origins of the signed URLs of stores that applications currently use. */
  listClientOrigins(): Promise<string[]>
  /** Deletes bytes that arrived for keys that accept no more bytes. */
  sweep(id: string): Promise<void>
  close(): Promise<void>
}

type Options = {
  db: Db
  secretBox: SecretBox
  /** Returns the ID of the installation. */
  findInstallationId: () => Promise<string | undefined>
  rules: AddressRules
  /** The URL of the service, whose console uploads to the stores. */
  publicUrl: string
  clock: Clock
  log: Logger
  observe: (driver: S3Driver) => S3Driver
  /** Called with each error because of which a store cannot be used. */
  onProblem?: (storeId: string, error: unknown) => void
}

type Opened = { updatedAt: string; raw: S3Driver; driver: StorageDriver }

/** Settings that another node has changed are used after this time. */
const recheckMs = 1_000
/** A test sends about 30 requests. */
const maxConcurrentTests = 4
/** Calls in progress may still use a driver whose settings were replaced. */
const replacedDriverMs = 10 * 60_000

/** Opens the stores of applications when they are used. Connects only to addresses that the rules allow. */
export function createCustomStores(options: Options): CustomStores {
  const { db, secretBox, findInstallationId, rules, publicUrl, clock, log } = options
  const replaced = createReplacedDrivers(log)
  const stores = createStoreCache((id, previous) => loadStore(options, replaced, id, previous))
  const send = createGuardedFetch(rules)
  const limitTests = limitConcurrency(maxConcurrentTests)

  return {
    open: async (id) => (await stores.find(id)).driver,

    listIds: () => listStoreIds(db),

    async test(id, settings) {
      const { testStore } = await import('./test-store.ts')
      return limitTests(() =>
        testStore({
          id,
          settings: s3Settings(settings),
          createAgents: (options) => createGuardedAgents(rules, options),
          send: send.fetch,
          origin: new URL(publicUrl).origin,
          findInstallationId,
          listStoreIds: () => listStoreIds(db),
          clock,
          log,
        }),
      )
    },

    claim: async (id, settings) =>
      claimStore(await createDriver(options, id, settings), id, findInstallationId),

    sealCredentials: (id, credentials) =>
      secretBox.seal(JSON.stringify(credentials), storeCredentialsContext(id)),

    openCredentials: (id, sealed) => openCredentials(secretBox, id, sealed),

    listClientOrigins: createStoreOrigins(db),

    sweep: async (id) => (await stores.find(id)).raw.sweep(),

    async close() {
      await replaced.close()
      await stores.close()
      await send.close()
    },
  }
}

async function createDriver(
  { db, rules, clock, log }: Options,
  id: string,
  settings: StoreSettings,
): Promise<S3Driver> {
  // The client of AWS takes long to load, and most services need it only for custom stores.
  const { createS3Driver } = await import('../s3/s3-driver.ts')
  return createS3Driver({
    settings: s3Settings(settings),
    clock,
    log,
    createAgents: (options) => createGuardedAgents(rules, options),
    findCompletedUpload: (key) => findCompletedUpload(db, keyOfStore(id, key)),
    sweepsItself: false,
  })
}

const openCredentials = (secretBox: SecretBox, id: string, sealed: Uint8Array): StoreCredentials =>
  JSON.parse(secretBox.open(sealed, storeCredentialsContext(id))) as StoreCredentials

/** Opens a store. Returns the previous result if the settings have not changed since then. */
async function loadStore(
  options: Options,
  replaced: ReturnType<typeof createReplacedDrivers>,
  id: string,
  previous: Opened | undefined,
): Promise<Opened> {
  const { db, secretBox, findInstallationId, observe, onProblem = () => {} } = options
  const row = await findStore(db, id)
  if (row === undefined) throw new Error(`there is no custom store ${id}`)
  if (previous?.updatedAt === row.updated_at) return previous
  let credentials: StoreCredentials
  try {
    credentials = openCredentials(secretBox, id, row.credentials_encrypted)
  } catch (error) {
    onProblem(id, error)
    throw storeUnavailable({ cause: error })
  }
  const raw = observe(
    await createDriver(options, id, {
      ...row,
      forcePathStyle: row.force_path_style,
      acl: row.acl as StoreSettings['acl'],
      credentials,
    }),
  )
  const driver = createStoreDriver({
    id,
    driver: raw,
    findInstallationId,
    onProblem: (error) => onProblem(id, error),
  })
  if (previous !== undefined) replaced.add(previous.raw)
  return { updatedAt: row.updated_at, raw, driver }
}

/** Creates a cache of opened stores. `load` is called again after a second, with the last store that it opened. */
function createStoreCache(load: (id: string, previous: Opened | undefined) => Promise<Opened>) {
  const found = new Map<string, { checkedMs: number; store: Promise<Opened> }>()
  const opened = new Map<string, Opened>()

  async function open(id: string): Promise<Opened> {
    const store = await load(id, opened.get(id))
    opened.set(id, store)
    return store
  }

  return {
    async find(id: string): Promise<Opened> {
      const known = found.get(id)
      if (known !== undefined && performance.now() - known.checkedMs < recheckMs) return known.store
      const store = Promise.resolve(known?.store)
        .catch(() => undefined)
        .then(() => open(id))
      const entry = { checkedMs: performance.now(), store }
      found.set(id, entry)
      store.catch(() => {
        if (found.get(id) === entry && known === undefined) found.delete(id)
      })
      return store
    },
    async close(): Promise<void> {
      await Promise.allSettled([...found.values()].map(({ store }) => store))
      for (const { raw } of opened.values()) await raw.close()
    },
  }
}

async function claimStore(
  driver: S3Driver,
  id: string,
  findInstallationId: Options['findInstallationId'],
): Promise<void> {
  try {
    const installationId = await findInstallationId()
    if (installationId === undefined) throw new Error('the installation has no ID')
    await driver.identity.saveId(storeOwner(installationId, id))
  } finally {
    await driver.close()
  }
}

/** Closes drivers whose settings were replaced, after calls in progress have ended. */
function createReplacedDrivers(log: Logger) {
  const timers = new Map<S3Driver, NodeJS.Timeout>()
  return {
    add(driver: S3Driver): void {
      const close = (): void => {
        timers.delete(driver)
        driver.close().catch((error: unknown) => log.warn({ err: error }, 'could not close a custom store'))
      }
      timers.set(driver, setTimeout(close, replacedDriverMs).unref())
    },
    async close(): Promise<void> {
      for (const [driver, timer] of timers) {
        clearTimeout(timer)
        await driver.close()
      }
    },
  }
}

/** Returns the settings for the driver. A store without an endpoint is at AWS. */
const s3Settings = ({ endpoint, acl, ...settings }: StoreSettings): S3Settings => ({
  bucket: settings.bucket,
  region: settings.region,
  prefix: settings.prefix,
  forcePathStyle: settings.forcePathStyle,
  credentials: settings.credentials,
  endpoint: endpoint ?? undefined,
  publicEndpoint: undefined,
  acl: acl ?? undefined,
})
