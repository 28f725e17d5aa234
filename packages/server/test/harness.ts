import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after } from 'node:test'
import { pino, type Logger } from 'pino'
import { Agent, request } from 'undici'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { insertApiKey } from '../src/features/api-keys/api-key.db.ts'
import { hashKey, generateKey } from '../src/features/api-keys/api-key.ts'
import { insertFirstDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../src/http/endpoint/scopes.ts'
import type { Clock } from '../src/lib/clock.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import { testStorageSettings } from './acceptance/test-storage.ts'
import { credentialsOf } from './credentials.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { createResponseChecker, parseJson } from './declared-responses.ts'
import { startDnsServer } from './dns-server.ts'

export type ApiResponse = {
  status: number
  headers: Headers
  // The body is not typed, because tests assert the shape they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  text: string
}

export type Service = Awaited<ReturnType<typeof startOwnService>>
export type Tenant = Awaited<ReturnType<Service['tenant']>>

// A stall of several seconds ends idle connections on both sides at once, and a request on such a connection fails. The
// client therefore gives them up long before the service does.
const dispatcher = new Agent({ keepAliveMaxTimeout: 500 })

const bootstrapKey = 'bootstrap-key-of-the-tests-0123456789'

/** A database and a data folder that outlive the service. */
type State = Awaited<ReturnType<typeof createState>>

type Settings = {
  environment?: Record<string, string>
  clock?: Clock
  log?: Logger
  state?: State
  /** Whether the service sends webhook requests. Defaults to false, because most webhooks in tests have no receiver. */
  sendsWebhooks?: boolean
  /**
   * Whether jobs run at their scheduled times. Defaults to false, because such a job, for example one that runs every
   * minute, could change what a test has prepared.
   */
  schedulesJobs?: boolean
}

/** Creates an empty state, or a copy of the database and data folder of a service that has stopped. */
export async function createState(source?: { database: string; dataDir: string }) {
  const { connection, drop } = await cloneDatabase(source?.database)
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-test-'))
  if (source !== undefined) await cp(source.dataDir, dataDir, { recursive: true, preserveTimestamps: true })
  const remove = async () => {
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection, dataDir, storage: testStorageSettings(), remove }
}

const faultsOf = createResponseChecker()

let sharesServices = false
let shared: Promise<Service> | undefined

/**
 * Lets the test files of this process share one service, which is stopped after the last test. Each file creates its own
 * tenants.
 */
export function shareServices(): void {
  sharesServices = true
  after(async () => (await shared)?.close())
}

/**
 * Returns a complete service. Files that share a process may get the same one if they pass no settings. A file whose
 * tests could be affected by other data in the database or on the disk must call `startOwnService`.
 */
export function startService(settings?: Settings): Promise<Service> {
  if (settings !== undefined || !sharesServices) return startOwnService(settings)
  shared ??= startOwnService()
  const stop = () => Promise.reject(new Error('The service is shared. Call startOwnService.'))
  return shared.then((service) => ({ ...service, stop, close: async () => {} }))
}

/**
 * Starts a complete service with its own database and data folder. Every response is checked against
 * openapi.json; `call`, `stop` and `close` throw if a response violates it.
 */
export async function startOwnService({
  environment = {},
  clock,
  log = pino({ level: process.env['QUAYSIDE_TEST_LOG'] ?? 'silent' }),
  state: existing,
  sendsWebhooks = false,
  schedulesJobs = false,
}: Settings = {}) {
  const state = existing ?? (await createState())
  const { connection, dataDir, storage } = state
  const dns = await startDnsServer()
  const config = readConfig({
    QUAYSIDE_PORT: '0',
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_BOOTSTRAP_KEY: bootstrapKey,
    DATABASE_URL: databaseUrl(connection),
    QUAYSIDE_RATE_LIMIT: '0',
    QUAYSIDE_SESSION_RATE_LIMIT: '0',
    QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
    QUAYSIDE_PUBLIC_RATE_LIMIT: '0',
    QUAYSIDE_FAILED_KEY_LIMIT: '0',
    QUAYSIDE_ISSUER_ALLOW_PRIVATE: '127.0.0.0/8',
    QUAYSIDE_DNS_SERVERS: dns.address,
    ...storage,
    ...environment,
  })
  const faults: string[] = []
  const assertNoFaults = () => {
    if (faults.length > 0) throw new Error(faults.splice(0).join('\n'))
  }
  const app = await createApp(config, {
    log,
    sendsWebhooks,
    schedulesJobs,
    onResponse: (response) => void faults.push(...faultsOf(response)),
    ...(clock === undefined ? {} : { clock }),
  }).catch(async (error: unknown) => {
    await dns.close()
    throw error
  })
  const { db } = app.deps

  async function call(
    method: string,
    path: string,
    { key = bootstrapKey, body, headers = {} }: CallOptions = {},
  ): Promise<ApiResponse> {
    // `fetch` takes twice the CPU time, and some files send tens of thousands of requests.
    const {
      statusCode,
      headers: received,
      body: content,
    } = await request(path.startsWith('http') ? path : `${app.url}/api/v1${path}`, {
      dispatcher,
      method,
      headers: {
        ...(key === null ? {} : credentialsOf(key, app.url)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const isEventStream = received['content-type'] === 'text/event-stream'
    const text = isEventStream ? closeStream(content) : await content.text()
    assertNoFaults()
    return { status: statusCode, headers: headersOf(received), text, body: parseJson(text) }
  }

  /** Inserts a key with these scopes directly into the database and returns it. */
  async function key(
    workspaceId: string,
    applicationId: string | null,
    scopes: readonly Scope[],
  ): Promise<string> {
    const kind = applicationId === null ? 'workspace' : 'application'
    const text = generateKey(kind)
    await db.transaction().execute((tx) =>
      insertApiKey(tx, {
        owner: { workspaceId, applicationId },
        kind,
        name: 'test',
        prefix: text.slice(0, 8),
        sha256: hashKey(text),
        scopes: [...scopes],
        createdBy: null,
        expiresAt: null,
      }),
    )
    return text
  }

  /** Signs the user in and returns the session cookie, which `call` accepts as a key. */
  async function signIn(userId: string, workspaceId: string | null = null): Promise<string> {
    const token = randomBytes(24).toString('base64url')
    const expiresAt = new Date(Date.now() + 3_600_000)
    const session = { id: uuidV7(), token, user_id: userId, workspace_id: workspaceId, expires_at: expiresAt }
    await db.insertInto('sessions').values(session).execute()
    return app.deps.sessionCookie.setCookie(token).split(';')[0] ?? ''
  }

  /** Creates a workspace with an application, a workspace key and an application key. Both keys have all scopes. */
  async function tenant({
    platforms = ['generic', 'linux', 'windows', 'android', 'ios'],
  }: { platforms?: string[] } = {}) {
    const workspaceId = shortId(12)
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('workspaces')
        .values({ id: workspaceId, name: `Workspace ${workspaceId}` })
        .execute()
      await insertFirstDefaultStreams(tx, workspaceId)
    })
    const workspaceKey = await key(workspaceId, null, workspaceScopes)
    const created = await call('POST', '/applications', {
      key: workspaceKey,
      body: { name: `App ${workspaceId}`, platforms },
    })
    if (created.status !== 201) throw new Error(created.text)
    const applicationId = created.body.data.id as string
    const applicationKey = await key(workspaceId, applicationId, applicationScopes)
    return { workspaceId, applicationId, workspaceKey, applicationKey }
  }

  /** Stops the service but keeps its database and data folder for `startService({ state })`. */
  async function stop() {
    await app.close()
    await dns.close()
    assertNoFaults()
  }

  return {
    ...app,
    dataDir,
    dns,
    call,
    key,
    signIn,
    tenant,
    state,
    stop,
    async close() {
      await stop().finally(state.remove)
    },
  }
}

/** Disconnects from an event stream, which never ends by itself. Use `watch` to read event streams. */
function closeStream(content: Readable): string {
  content.on('error', () => {}).destroy()
  return ''
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value = []] of Object.entries(received))
    for (const each of [value].flat()) headers.append(name, each)
  return headers
}

type CallOptions = { key?: string | null; body?: unknown; headers?: Record<string, string> }
