import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connectToRunningPostgres } from '@quayside/embedded-postgres'
import { pino } from 'pino'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { demoSettings } from './demo-settings.ts'
import type { Size } from './plan/build-plan.ts'
import { owner } from './plan/people.ts'
import { startReceiver } from './receiver.ts'
import { seedDemo } from './seed-demo.ts'
import type { Log } from './seeding.ts'

type Options = {
  /** The data folder of the service. */
  folder: string
  port: number
  /** Deletes the folder first. */
  isFresh?: boolean
  size?: Size
  seed?: number
  log?: Log
}

type Credentials = { key: string; email: string; password: string; receiverUrl: string; isSeeded: boolean }

/** Starts a service with the demo workspace in a folder of its own. Fills the workspace unless an earlier start has. */
export async function startDemo({
  folder,
  port,
  isFresh = false,
  size = 'full',
  seed,
  log = () => {},
}: Options) {
  const dataDir = resolve(folder)
  const file = join(dataDir, 'demo.json')
  const known = isFresh ? undefined : await readCredentials(file)
  if (known?.isSeeded !== true) await rm(dataDir, { recursive: true, force: true })
  const receiver = await startReceiver(known === undefined ? 0 : Number(new URL(known.receiverUrl).port))
  const credentials = known ?? { ...createCredentials(), receiverUrl: receiver.url, isSeeded: false }
  const { key, email, password } = credentials
  const config = readConfig({
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_PORT: String(port),
    QUAYSIDE_BOOTSTRAP_KEY: key,
    QUAYSIDE_ADMIN_EMAIL: email,
    QUAYSIDE_ADMIN_PASSWORD: password,
    ...demoSettings,
  })
  const app = await createApp(config, {
    log: pino({ level: 'error', base: null }, pino.destination(2)),
  }).catch(async (error: unknown) => {
    await receiver.close()
    throw error
  })
  const close = async () => {
    await app.close()
    await receiver.close()
  }
  const database = await connectToRunningPostgres({ dataDir, name: 'quayside' })
  try {
    const databaseUrl = urlOf(database.connection)
    if (!credentials.isSeeded) {
      await seedDemo({
        url: app.url,
        key,
        databaseUrl,
        receiverUrl: receiver.url,
        size,
        ...(seed === undefined ? {} : { seed }),
        log,
      })
      await writeFile(file, JSON.stringify({ ...credentials, isSeeded: true }), { mode: 0o600 })
    }
    return { url: app.url, key, email, password, databaseUrl, close: () => close().finally(database.close) }
  } catch (error) {
    await close().finally(database.close)
    throw error
  }
}

const createCredentials = () => ({
  key: randomBytes(24).toString('base64url'),
  email: owner.email,
  password: randomBytes(9).toString('base64url'),
})

async function readCredentials(file: string): Promise<Credentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch {
    return undefined
  }
}

function urlOf({
  host,
  port,
  user,
  database,
}: {
  host: string
  port: number
  user: string
  database: string
}): string {
  const parameters = new URLSearchParams({ host, port: String(port) })
  return `postgresql://${user}@localhost/${database}?${parameters.toString()}`
}
