import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { insertApiKey } from '../src/features/api-keys/api-key.db.ts'
import { hashKey, makeKey } from '../src/features/api-keys/api-key.ts'
import { insertFirstDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../src/http/scopes.ts'
import type { Clock } from '../src/lib/clock.ts'
import { shortId } from '../src/lib/ids.ts'
import { cloneDatabase } from './database.ts'
import { createDeclaredAnswers } from './declared-answers.ts'
import { startDnsServer } from './dns-server.ts'

export type Answer = {
  status: number
  headers: Headers
  // the tests say what they expect of it
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  text: string
}

export type Service = Awaited<ReturnType<typeof startService>>
export type Tenant = Awaited<ReturnType<Service['tenant']>>

const bootstrapKey = 'bootstrap-key-of-the-tests-0123456789'

/** What outlives a service: its database and its folder. */
type Place = Awaited<ReturnType<typeof createPlace>>

type Settings = { environment?: Record<string, string>; clock?: Clock; place?: Place }

async function createPlace() {
  const { connection, drop } = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-test-'))
  const remove = async () => {
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection, dataDir, remove }
}

const faultsOf = createDeclaredAnswers()

/**
 * The whole service on a database and a folder of its own. Every answer it gives, to whom and by what way, is held
 * against openapi.json: `call` and `close` throw when one was not declared.
 */
export async function startService({ environment = {}, clock, place: given }: Settings = {}) {
  const place = given ?? (await createPlace())
  const { connection, dataDir } = place
  const dns = await startDnsServer()
  const config = readConfig({
    QUAYSIDE_PORT: '0',
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_BOOTSTRAP_KEY: bootstrapKey,
    DATABASE_URL: databaseUrl(connection),
    QUAYSIDE_RATE_LIMIT: '0',
    QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
    QUAYSIDE_ISSUER_ALLOW_PRIVATE: '127.0.0.0/8',
    QUAYSIDE_DNS_SERVERS: dns.address,
    ...environment,
  })
  const level = process.env['QUAYSIDE_TEST_LOG'] ?? 'silent'
  const faults: string[] = []
  const noFaults = () => {
    if (faults.length > 0) throw new Error(faults.splice(0).join('\n'))
  }
  const app = await createApp(config, {
    log: pino({ level }),
    onAnswer: (answer) => void faults.push(...faultsOf(answer)),
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
  ): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : `${app.url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    noFaults()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  /** A key with these scopes, made without the API. */
  async function key(
    workspaceId: string,
    applicationId: string | null,
    scopes: readonly Scope[],
  ): Promise<string> {
    const kind = applicationId === null ? 'workspace' : 'application'
    const text = makeKey(kind)
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

  /** A workspace of its own with an application and a key of each kind that may do everything. */
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

  return {
    ...app,
    dataDir,
    dns,
    call,
    key,
    tenant,
    async close() {
      await app.close()
      await dns.close()
      await place.remove()
      noFaults()
    },
    place,
    /** Leaves database and folder behind, for another `startService({ place })`. */
    async stop() {
      await app.close()
      await dns.close()
      noFaults()
    },
  }
}

type CallOptions = { key?: string | null; body?: unknown; headers?: Record<string, string> }

function databaseUrl({
  host,
  port,
  user,
  database,
}: {
  host: string
  port: number
  user: string
  database: string
}) {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgresql://${user}@localhost/${database}?${place.toString()}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
