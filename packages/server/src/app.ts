import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { createClientApi } from './client-api.ts'
import type { Config } from './config.ts'
import { prepareDataFolder } from './data-folder.ts'
import type { Connection } from './database/connect.ts'
import { listenForNotifications } from './database/listen.ts'
import { dependents } from './dependents.ts'
import type { Deps } from './deps.ts'
import { createEventStreams } from './events/event-streams.ts'
import { findAnyBuild } from './features/builds/build.db.ts'
import { restoreReferencedBytes } from './features/uploads/quarantine.ts'
import { expireAllLeases } from './features/uploads/upload-lease.db.ts'
import { startWebhookSender } from './features/webhooks/webhook-sender.ts'
import { ensureFirstWorkspace } from './features/workspace/workspace.db.ts'
import { ensureFirstOwner } from './first-owner.ts'
import { ensureFirstKeyFile, warnOfFirstKey } from './first-start.ts'
import { createDiagnose } from './http/diagnose.ts'
import { createEdgeServer } from './http/edge-server.ts'
import { drain, listen, listenUrlOf, stopListening } from './http/listener.ts'
import { windowMs } from './http/rate-limits.ts'
import { createRunOnDatabase } from './http/replica-reads.ts'
import type { OnResponse } from './http/server.ts'
import { createSessionCookie } from './http/session-cookie.ts'
import { createWindowCounters } from './http/window-counters.ts'
import { createInspector } from './inspection/run-inspection.ts'
import { claimStorage } from './installation/installation.ts'
import { jobs } from './jobs.ts'
import { createQueue } from './jobs/queue.ts'
import { createAddressRules } from './lib/address-rules.ts'
import { createSystemClock, type Clock } from './lib/clock.ts'
import { limitConcurrencyByName } from './lib/concurrency.ts'
import { maxConnections } from './lib/connection-limit.ts'
import { requireGroupId } from './lib/group-id.ts'
import { createInFlight } from './lib/in-flight.ts'
import { acquireInstanceLock, type InstanceLock } from './lib/instance-lock.ts'
import { createIssuerKeys } from './lib/issuer-keys.ts'
import { createMailer } from './lib/mailer.ts'
import { createJsonReader, createPoster } from './lib/outgoing.ts'
import { createPasswords } from './lib/password.ts'
import { createTxtRecords } from './lib/txt-records.ts'
import { prepareMasterSecret } from './master-secret.ts'
import { openDatabase } from './open-database.ts'
import { openReadinessCheck } from './open-readiness.ts'
import { openCustomStores, provideConfiguredStorage } from './provide-storage.ts'
import { createRoutedDriver } from './storage/routed-driver.ts'
import { openTelemetry } from './telemetry/open-telemetry.ts'
import { version } from './version.ts'

type Options = {
  log: Logger
  clock?: Clock
  /** Whether to send webhook requests; true by default. */
  sendsWebhooks?: boolean
  /** Whether to run jobs at their scheduled times; true by default. */
  schedulesJobs?: boolean
  /** Set by tests to check every response against the OpenAPI document. */
  onResponse?: OnResponse
  /** Cancels a startup that is waiting for the database. */
  stopping?: AbortSignal
}

export type App = {
  url: string
  /** The URL at which the service listens; undefined if the public URL is equivalent to it. */
  listenUrl: string | undefined
  port: number
  deps: Deps
  /** The folder of the embedded database; undefined if DATABASE_URL is set. */
  databaseLocation: string | undefined
  /** Whether a build has ever been uploaded, including builds that are now in the trash. */
  hasBuilds: boolean
  /** The link with which the first owner sets up the service; undefined if there is an owner. */
  setupUrl: string | undefined
  /** The path of the file that contains the first key; undefined once the file has been deleted. */
  firstKeyPath: string | undefined
  close(): Promise<void>
  /** Closes the connections that `close` is waiting for. */
  closeConnections(): void
}

const callsPerPassword = 10
const publicDownloadsPerDownload = 2

/** Starts the service and its HTTP listener. If startup fails, closes everything that was opened. */
export async function createApp(
  settings: Config,
  { log, clock = createSystemClock(), ...options }: Options,
): Promise<App> {
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => log.error({ err: error }, 'shutdown step failed'))
  }
  try {
    return await open(settings, { log, clock, ...options }, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function open(
  settings: Config,
  {
    log,
    clock,
    sendsWebhooks = true,
    schedulesJobs = true,
    onResponse,
    stopping,
  }: Options & { clock: Clock },
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<App> {
  const dataDir = resolve(settings.dataDir)
  const { accelRedirectPrefix, storageGroup } = settings
  const isSharedForReading = accelRedirectPrefix !== undefined
  const groupId =
    isSharedForReading && storageGroup !== undefined ? await requireGroupId(storageGroup) : undefined
  await prepareDataFolder(dataDir, { log, isSharedForReading, groupId })
  const isSoleService = settings.databaseUrl === undefined
  let lock: InstanceLock | undefined
  if (isSoleService) {
    lock = await acquireInstanceLock(dataDir)
    closers.push(async () => lock?.release())
  }
  const telemetry = await openTelemetry(settings, closers)
  const { metrics, tracing, observeStatement } = telemetry
  const connectionLimit = await maxConnections()
  const edge = createEdgeServer({
    maxConnections: connectionLimit,
    // A proxy on the same machine is often missing from the settings.
    proxies: [...settings.trustedProxies, '127.0.0.0/8', '::1'],
    log,
    ...telemetry,
  })
  const port = await listen(edge.server, settings)
  closers.push(async () => stopListening(edge.server))
  const publicUrl = settings.port === 0 ? `http://localhost:${port}` : settings.publicUrl
  const config: Config = { ...settings, dataDir, port, publicUrl }

  const database = await openDatabase(config, { log, stopping, closers, observeStatement })
  const { db, connection, isPooled, direct, isDiskFull } = database
  const provided = await provideConfiguredStorage(config, db, { clock, log, closers, stopping, telemetry })
  await claimStorage(db, provided.identity)
  const { secretBox, ...secrets } = await prepareMasterSecret({ db, dataDir, config, log })
  if (isSoleService) {
    await expireAllLeases(db)
    await rm(join(dataDir, 'scratch'), { recursive: true, force: true })
  }
  const servesRequests = config.role !== 'worker'
  const runsJobs = config.role !== 'api'
  const workspace = await ensureFirstWorkspace(db)
  await warnOfFirstKey(db, workspace.id, log)
  const firstKeyPath =
    servesRequests && config.bootstrapKey === undefined
      ? await ensureFirstKeyFile(db, dataDir, workspace.id)
      : undefined

  const { driver: hostedStorage, endpoint } = await provided.open({
    db,
    publicUrl,
    secrets,
    isSoleService,
    groupId,
  })
  await restoreReferencedBytes({ db, storage: hostedStorage, log })
  const customStores = openCustomStores({ config, db, secretBox, clock, log, closers, telemetry })
  const storage = createRoutedDriver({ hosted: hostedStorage, stores: customStores, log })
  const queue = createQueue({
    connection: direct,
    // While the disk is full, every poll fails.
    onError: (error) => isDiskFull?.() === true || log.warn({ reason: error.message }, 'job queue error'),
    runsJobs,
    schedulesJobs,
  })
  const { smtpUrl, mailFrom: from } = config
  const mailer = smtpUrl === undefined ? undefined : createMailer({ smtpUrl, from })
  closers.push(async () => await mailer?.close())
  const issuerAddresses = createAddressRules(config.issuerAllowPrivate)
  const reader = createJsonReader(issuerAddresses, `Quayside/${version}`)
  closers.push(() => reader.close())
  const passwords = createPasswords()
  closers.push(() => passwords.close())
  const setupUrl = servesRequests
    ? await ensureFirstOwner({ db, workspaceId: workspace.id, publicUrl, config, passwords, secretBox })
    : undefined
  const eventStreams = createEventStreams({
    db,
    log,
    sharedWith: isSoleService ? undefined : direct,
    eventStreamLimit: Math.min(config.eventStreamLimit, Math.floor((connectionLimit ?? Infinity) / 2)),
    eventStreamsPerKey: config.eventStreamsPerKey,
  })
  closers.push(() => eventStreams.close())
  const counters = createWindowCounters({ db, log, isShared: !isSoleService })
  closers.push(() => counters.close())
  const deps: Deps = {
    db,
    storage,
    hostedStorage,
    customStores,
    queue: queue.queue,
    inFlight: createInFlight(),
    exclusive: limitConcurrencyByName(1),
    clock,
    log,
    metrics,
    tracing,
    secretBox,
    sessionCookie: createSessionCookie({ publicUrl, ...secrets }),
    passwords,
    inspector: createInspector({ log }),
    runOnDatabase: createRunOnDatabase({ db, replica: database.replica, log }),
    createCounter: counters.create,
    passwordChanges: counters.create('password-changes', {
      limit: Math.ceil((config.rateLimit || Infinity) / callsPerPassword),
      windowMs,
    }),
    publicDownloads: counters.create('public-downloads', {
      limit: (config.downloadRateLimit || Infinity) * publicDownloadsPerDownload,
      windowMs,
    }),
    mailer,
    txtRecords: createTxtRecords(config.dnsServers),
    issuerKeys: createIssuerKeys({ reader, clock }),
    issuerAddresses,
    eventStreams,
    dependents,
    config,
  }
  await queue.start(jobs, { db, isSoleService })
  closers.push(() => queue.stop())
  if (runsJobs) {
    await queue.work(jobs, deps, () => eventStreams.announce())
    if (sendsWebhooks) sendWebhooks(deps, { connection: direct, closers })
  }

  const { check, db: checkDb } = openReadinessCheck(
    { connection, isPooled, isDiskFull, storage, log },
    closers,
  )
  telemetry.addState({
    db: checkDb,
    pool: database.pool,
    jobNames: jobs.map(({ name }) => name),
    countEventStreams: eventStreams.count,
    checkReady: check,
    findCapacity: storage.findCapacity,
  })
  if (servesRequests) {
    const { api, handler } = await createClientApi(deps, {
      server: edge.server,
      workspaceId: workspace.id,
      reader,
      closers,
      ...(onResponse && { onResponse }),
    })
    closers.push(() => api.close())
    const diagnose = createDiagnose(secretBox, config.trustedProxies)
    edge.open({ api: handler, storage: endpoint, check, diagnose })
  } else edge.openForHealthChecks(check)
  closers.push(() => drain(edge, log))
  // Event streams end before the connections are drained, because they would otherwise stay open.
  closers.push(async () => eventStreams.stop())
  closers.push(async () => await lock?.leave())
  return {
    url: publicUrl,
    listenUrl: listenUrlOf(config),
    port,
    deps,
    databaseLocation: database.location,
    hasBuilds: (await findAnyBuild(db)) !== undefined,
    setupUrl,
    firstKeyPath,
    close: closeAll,
    closeConnections: () => edge.server.closeAllConnections(),
  }
}

/** Starts sending webhook requests. Adds the functions that stop it to `closers`. */
function sendWebhooks(
  deps: Deps,
  { connection, closers }: { connection: Connection; closers: (() => Promise<void>)[] },
): void {
  const poster = createPoster(createAddressRules(deps.config.webhookAllowPrivate))
  closers.push(() => poster.close())
  const sender = startWebhookSender({ ...deps, poster })
  closers.push(() => sender.stop())
  const wake = { channel: 'quayside_events', onNotification: sender.wake }
  const listening = listenForNotifications({ connection, log: deps.log, ...wake })
  closers.push(() => listening.close())
}
