import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { readConfig, type Config } from '../config/config.ts'
import { connectDatabase } from '../database/connect.ts'
import { migrate } from '../database/schema/migrate.ts'
import { createSystemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { requireFolderOfUser } from '../start/data-folder.ts'
import { acquireInstanceLock } from '../start/instance-lock.ts'
import { migrationsFolder, provideDatabase } from '../start/provide-database.ts'
import { describeStartFailure } from '../start/start-failure.ts'
import type { QuarantinedKey, StorageDriver } from '../storage/driver.ts'
import { adoptStorage } from '../storage/installation/installation.ts'
import { createLocalIdentity } from '../storage/local/local-identity.ts'
import { localLayout } from '../storage/local/local-layout.ts'
import { listQuarantinedKeys, restoreKey } from '../storage/local/local-quarantine.ts'
import { translateErrors } from '../storage/storage-errors.ts'

const help = `Usage: quayside-server storage <command>

Check and repair the storage of the files. The commands use the same environment variables as the server.

Commands:
  quarantine      list the quarantined files, which no row refers to
  restore [key…]  restore all quarantined files, or only those with these keys
  adopt           assign the storage and the database to the same installation (stop the server first)

The server restores quarantined files itself when it starts and finds rows that refer to them. It deletes quarantined
files after 7 days.

Options:
  -h, --help  show help

Exit codes:
  0   success
  1   failure
  2   usage error
  78  invalid setting
`

const [command, ...keys] = process.argv.slice(3)
const log = pino({ level: 'warn', base: null }, pino.destination({ dest: 2, sync: true }))
try {
  process.exitCode = await run(command)
} catch (error) {
  const dataDir = process.env['QUAYSIDE_DATA_DIR'] ?? './data'
  process.stderr.write(`quayside-server: ${describeStartFailure(error, { dataDir, log })}\n`)
  process.exitCode = error instanceof Problem && error.code === 'config.invalid' ? 78 : 1
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function run(name: string | undefined): Promise<number> {
  if (name === '-h' || name === '--help' || keys.includes('-h') || keys.includes('--help')) {
    process.stdout.write(help)
    return 0
  }
  if (name === 'restore') return restoreQuarantined(readConfig(process.env))
  if (name === 'quarantine' && keys.length === 0) return listQuarantine(readConfig(process.env))
  if (name === 'adopt' && keys.length === 0) return adopt(readConfig(process.env))
  const problem =
    name === undefined
      ? 'a command is missing'
      : name === 'quarantine' || name === 'adopt'
        ? `unknown argument '${keys[0]}'`
        : `unknown command '${name}'`
  process.stderr.write(`quayside-server storage: ${problem}\nRun quayside-server storage --help for usage.\n`)
  return 2
}

type Opened = {
  driver: Pick<StorageDriver, 'identity' | 'listQuarantined' | 'restore'>
  close: () => Promise<void>
}

/** Opens the configured storage. Starts no background work in a storage folder, which a running server may use. */
async function openStorage({ dataDir, storage }: Config): Promise<Opened> {
  if (storage.kind === 's3') {
    const { createS3Driver } = await import('../storage/s3/s3-driver.ts')
    const driver = createS3Driver({ settings: storage, clock: createSystemClock(), log })
    return { driver, close: () => driver.close() }
  }
  const folder = resolve(dataDir, 'storage')
  const layout = localLayout(folder)
  const driver = {
    identity: createLocalIdentity(folder),
    listQuarantined: () => listQuarantinedKeys(layout),
    restore: (found: QuarantinedKey) => translateErrors(restoreKey(layout, found)),
  }
  return { driver, close: async () => {} }
}

async function listQuarantine(config: Config): Promise<number> {
  const { driver, close } = await openStorage(config)
  try {
    for await (const { key, state, quarantinedAt } of driver.listQuarantined())
      print(`${quarantinedAt.toISOString()}  ${state}  ${key}`)
    return 0
  } finally {
    await close()
  }
}

async function restoreQuarantined(config: Config): Promise<number> {
  await requireFolderOfUser(config.dataDir)
  const { driver, close } = await openStorage(config)
  try {
    const missing = new Set(keys)
    let restored = 0
    for await (const found of driver.listQuarantined()) {
      if (keys.length > 0 && !keys.includes(found.key)) continue
      await driver.restore(found)
      missing.delete(found.key)
      restored++
    }
    print(`Restored ${restored} ${restored === 1 ? 'file' : 'files'}.`)
    for (const key of missing) process.stderr.write(`quayside-server: ${key} is not in quarantine\n`)
    return missing.size === 0 ? 0 : 1
  } finally {
    await close()
  }
}

async function adopt(settings: Config): Promise<number> {
  const dataDir = resolve(settings.dataDir)
  if (!existsSync(dataDir)) {
    process.stderr.write(
      `quayside-server: the data folder ${dataDir} does not exist. Set QUAYSIDE_DATA_DIR to the same value as for the server.\n`,
    )
    return 1
  }
  await requireFolderOfUser(dataDir)
  const closers: (() => Promise<void>)[] = []
  try {
    if (settings.databaseUrl === undefined) {
      const lock = await acquireInstanceLock(dataDir)
      closers.push(() => lock.release())
    }
    const { connection } = await provideDatabase({ ...settings, dataDir }, log, closers)
    const { db, pool, close } = connectDatabase({ connection, maxConnections: 2, log })
    closers.push(close)
    await migrate(pool, migrationsFolder)
    const { driver, close: closeStorage } = await openStorage(settings)
    closers.push(closeStorage)
    const { id, before } = await adoptStorage(db, driver.identity)
    print(`The storage ${driver.identity.location} and the database are now installation ${id}.`)
    print(`Previously: storage ${before.storageId ?? '(none)'}, database ${before.databaseId ?? '(none)'}.`)
    return 0
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
