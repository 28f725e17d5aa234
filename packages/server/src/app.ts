import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { checkDatabase } from './database/check-database.ts'
import { connectDatabase, type Connection } from './database/connect.ts'
import { startEmbeddedPostgres } from './database/embedded-postgres/start.ts'
import { migrate } from './database/migrate.ts'
import type { Deps } from './deps.ts'
import { createAuthenticate } from './features/api-keys/authenticate.ts'
import { updateAllLeasesLapsed } from './features/uploads/upload-lease.db.ts'
import { ensureFirstWorkspace } from './features/workspace/workspace.db.ts'
import { firstKeyFile } from './first-start.ts'
import { documentation } from './http/documentation.ts'
import { createFront } from './http/front.ts'
import { openApiDocument } from './http/openapi.ts'
import { createApi, type OnAnswer } from './http/server.ts'
import { jobs } from './jobs.ts'
import { createQueue } from './jobs/queue.ts'
import { createAddressRules } from './lib/address-rules.ts'
import { createSystemClock, type Clock } from './lib/clock.ts'
import { createInFlight } from './lib/in-flight.ts'
import { acquireInstanceLock, type InstanceLock } from './lib/instance-lock.ts'
import { createIssuerKeys } from './lib/issuer-keys.ts'
import { createMailer } from './lib/mailer.ts'
import { createJsonReader } from './lib/outgoing.ts'
import { Problem } from './lib/problem.ts'
import { createSecretBox } from './lib/secret-box.ts'
import { createTxtRecords } from './lib/txt-records.ts'
import { createWindowCounter } from './lib/window-counter.ts'
import { masterSecret } from './master-secret.ts'
import { routes } from './routes.ts'
import { createLocalDriver } from './storage/local-driver.ts'
import { findStoredObject } from './storage/stored-objects.db.ts'
import { version } from './version.ts'

type Options = {
  log: Logger
  clock?: Clock
  /** Tests hold every answer against the OpenAPI document. */
  onAnswer?: OnAnswer
}

export type App = {
  url: string
  port: number
  deps: Deps
  /** Where the embedded database lies; undefined with DATABASE_URL. */
  databaseLocation: string | undefined
  /** File with the first key, while it is there. */
  firstKey: string | undefined
  close(): Promise<void>
  /** Ends the connections that `close` is waiting for. */
  cut(): void
}

const migrations = new URL('../migrations/', import.meta.url)
const drainMs = 30_000
const guessing = { most: 5, windowMs: 15 * 60 * 1000 }

/** Builds the whole service from its settings and listens; whatever was opened is closed again when it fails. */
export async function createApp(
  settings: Config,
  { log, clock = createSystemClock(), onAnswer }: Options,
): Promise<App> {
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => log.error({ err: error }, 'could not close in order'))
  }
  try {
    return await open(settings, { log, clock, ...(onAnswer && { onAnswer }) }, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function open(
  settings: Config,
  { log, clock, onAnswer }: Options & { clock: Clock },
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<App> {
  const dataDir = resolve(settings.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const isAlone = settings.databaseUrl === undefined
  let lock: InstanceLock | undefined
  if (isAlone) {
    lock = await acquireInstanceLock(dataDir)
    closers.push(async () => lock?.release())
  }
  const front = createFront()
  const port = await listen(front.server, settings)
  closers.push(async () => stopListening(front.server))
  const publicUrl = settings.port === 0 ? `http://localhost:${port}` : settings.publicUrl
  const config: Config = { ...settings, dataDir, port, publicUrl }

  const { connection, location } = await provideDatabase(config, log, closers)
  const { db, pool, close } = connectDatabase({ connection, maxConnections: 16, log })
  closers.push(close)
  await migrate(pool, fileURLToPath(migrations))
  if (isAlone) await updateAllLeasesLapsed(db)
  const workspace = await ensureFirstWorkspace(db)
  const firstKey =
    config.bootstrapKey === undefined ? await firstKeyFile(db, dataDir, workspace.id) : undefined

  const secret = config.secret ?? (await masterSecret(dataDir))
  const storage = await createLocalDriver({
    directory: resolve(dataDir, 'storage'),
    publicUrl,
    secret,
    clock,
    log,
    lookup: (key) => findStoredObject(db, key),
    ...(config.accelRedirectPrefix === undefined ? {} : { acceleratedLocation: config.accelRedirectPrefix }),
  })
  closers.push(() => storage.close())
  const queue = createQueue({
    connection,
    onError: (error) => log.warn({ reason: error.message }, 'the queue could not work just now'),
  })
  const { smtpUrl, mailFrom: from } = config
  const mailer = smtpUrl === undefined ? undefined : createMailer({ smtpUrl, from })
  closers.push(async () => mailer?.close())
  const issuerAddresses = createAddressRules(config.issuerAllowPrivate)
  const reader = createJsonReader(issuerAddresses, `Quayside/${version}`)
  closers.push(() => reader.close())
  const deps: Deps = {
    db,
    storage,
    queue: queue.queue,
    inFlight: createInFlight(),
    clock,
    log,
    secretBox: createSecretBox(secret),
    guessLimit: createWindowCounter(guessing),
    mailer,
    txtRecords: createTxtRecords(config.dnsServers),
    issuerKeys: createIssuerKeys({ reader, clock }),
    issuerAddresses,
    config,
  }
  await queue.start(jobs)
  closers.push(() => queue.stop())
  await queue.work(jobs, deps)

  const { bootstrapKey } = config
  const api = createApi({
    deps,
    endpoints: routes,
    authenticate: createAuthenticate({ db, clock, log, workspaceId: workspace.id, bootstrapKey }),
    server: front.server,
    onHandler: (handler) => {
      front.open({ api: handler, storage, check: () => check(deps) })
    },
    ...(onAnswer && { onAnswer }),
  })
  await api.register(documentation(openApiDocument(routes, version), publicUrl))
  await api.ready()
  closers.push(() => api.close())
  closers.push(() => drain(front, log))
  closers.push(async () => lock?.leave())
  return {
    url: publicUrl,
    port,
    deps,
    databaseLocation: location,
    firstKey,
    close: closeAll,
    cut: () => front.server.closeAllConnections(),
  }
}

async function provideDatabase(config: Config, log: Logger, closers: (() => Promise<void>)[]) {
  if (config.databaseUrl !== undefined) {
    const connection: Connection = { connectionString: config.databaseUrl }
    return { connection, location: undefined }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  closers.push(() => embedded.stop())
  const connection: Connection = embedded.connection
  return { connection, location: embedded.dataLocation }
}

async function listen(
  server: ReturnType<typeof createFront>['server'],
  { host, port }: Config,
): Promise<number> {
  server.listen({ port, host, backlog: 4096 })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Problem(
      'unavailable',
      'server.cannot_listen',
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use. Stop what listens there, or choose another with QUAYSIDE_PORT.`
        : `Cannot listen on ${host}:${port} (${code ?? 'unknown error'}). Check QUAYSIDE_HOST and QUAYSIDE_PORT.`,
      { cause: error },
    )
  }
  return (server.address() as AddressInfo).port
}

async function check({ db, storage }: Deps): Promise<void> {
  await checkDatabase(db)
  await storage.check()
}

/** Lets requests in flight end, for a time; what takes longer is cut. */
async function drain(front: ReturnType<typeof createFront>, log: Logger): Promise<void> {
  front.startClosing()
  const { server } = front
  const deadline = performance.now() + drainMs
  const closed = new Promise<void>((done) => {
    server.close(() => done())
  })
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const inTime = await Promise.race([
    closed.then(() => true),
    pause(deadline - performance.now(), false, { ref: false }),
  ])
  clearInterval(idle)
  if (inTime) return
  log.warn('requests still in flight after 30 s were cut')
  server.closeAllConnections()
  await closed
}

async function stopListening(server: ReturnType<typeof createFront>['server']): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
