import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { getConstructionPlans } from 'pg-boss'
import { pino } from 'pino'
import { createEmptyFolder, readManifest } from './backup/backup-folder.ts'
import { createBackup } from './backup/create-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { readConfig, type Config } from './config.ts'
import { requireFolderOfUser } from './data-folder.ts'
import type { Connection } from './database/connect.ts'
import { copyDatabase } from './database/copy-database.ts'
import { connectToRunningDatabase } from './database/embedded-database.ts'
import type { CopyProgress } from './database/load-database.ts'
import { addressOf } from './database/target.ts'
import { acquireInstanceLock } from './lib/instance-lock.ts'
import { Problem } from './lib/problem.ts'
import { sizeString } from './lib/sizes.ts'
import { migrationsFolder, provideDatabase } from './provide-database.ts'
import { describeStartFailure } from './start-failure.ts'
import type { CopiedObjects, ObjectProgress } from './storage/copy-objects.ts'

const help = `Usage: quayside-server admin <command>

Maintain a Quayside server. The commands use the same environment variables as the server.

Commands:
  backup <folder>           write the database, the files and the master secret to an empty folder
  restore <folder>          restore a backup to an empty data folder
  move-database --to <url>  copy the embedded database to an empty database of another PostgreSQL server

Options:
  --previous <folder>  for backup: an earlier backup; files that it contains are linked instead of copied if both
                       backups are on the same file system
  --to <url>           for move-database: URL of the empty database, such as postgres://user@host/database; its
                       password can also be set with PGPASSWORD, which other users of this computer cannot see
  -h, --help           show help

A backup can be made while the server is running. Files are linked instead of copied if the backup is on the same file
system as the data folder. Stop the server before you move its database. The embedded database is not changed.

Exit codes:
  0   success
  1   failure
  2   usage error
  78  invalid setting

Examples:
  $ quayside-server admin backup /backup/2026-01-31
  $ QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore /backup/2026-01-31
  $ PGPASSWORD=… quayside-server admin move-database --to postgres://quayside@db.example.com/quayside
`

const progressIntervalMs = 5_000
// Queue statistics are not copied, because the target lacks their daily partitions and the queue collects them again.
const queueSchema = {
  name: 'pgboss',
  sql: getConstructionPlans('pgboss', {}),
  statistics: ['queue_stats', 'warning'],
}

/** Runs a command and returns the exit code. */
type Execute = (config: Config) => Promise<number>

const log = pino({ level: 'warn', base: null }, pino.destination({ dest: 2, sync: true }))
try {
  process.exitCode = await run(process.argv.slice(3))
} catch (error) {
  const dataDir = process.env['QUAYSIDE_DATA_DIR'] ?? './data'
  process.stderr.write(`quayside-server: ${describeStartFailure(error, { dataDir, log })}\n`)
  process.exitCode = error instanceof Problem && error.code === 'config.invalid' ? 78 : 1
}

async function run(args: string[]): Promise<number> {
  const parsed = parse(args)
  if (typeof parsed === 'string') {
    process.stderr.write(`quayside-server admin: ${parsed}\nRun quayside-server admin --help for usage.\n`)
    return 2
  }
  if (parsed.help) {
    process.stdout.write(help)
    return 0
  }
  return await parsed.execute(readConfig(process.env))
}

/** Returns the command, or an error message if the arguments are invalid. */
function parse(args: string[]): string | { help: true } | { help: false; execute: Execute } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        previous: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help === true) return { help: true }
    const { to, previous } = values
    const [command, ...others] = positionals
    if (command === undefined) return 'a command is missing'
    if (command !== 'move-database' && command !== 'backup' && command !== 'restore')
      return `unknown command '${command}'`
    const folder = command === 'move-database' ? undefined : others.shift()
    if (others[0] !== undefined) return `unknown argument '${others[0]}'`
    if (command !== 'move-database' && to !== undefined) return `${command} has no option --to`
    if (command !== 'backup' && previous !== undefined) return `${command} has no option --previous`
    if (command === 'move-database')
      return to === undefined
        ? 'the option --to <url> is missing'
        : { help: false, execute: (config) => moveDatabase(config, to) }
    if (folder === undefined) return 'the folder of the backup is missing'
    return {
      help: false,
      execute: (config) =>
        command === 'backup'
          ? backUp(config, resolve(folder), previous === undefined ? undefined : resolve(previous))
          : restore(config, resolve(folder)),
    }
  } catch (error) {
    return (error as Error).message
  }
}

async function moveDatabase(settings: Config, url: string): Promise<number> {
  if (settings.databaseUrl !== undefined)
    throw new Problem(
      'invalid',
      'config.invalid',
      'DATABASE_URL is set, so the server does not use the embedded database. Unset it, or use pg_dump and pg_restore.',
    )
  // Validates the URL like DATABASE_URL, because it will be the value of that setting.
  const { databaseUrl: to } = readConfig({ DATABASE_URL: url })
  const dataDir = resolve(settings.dataDir)
  if (!existsSync(resolve(dataDir, 'postgres')))
    throw new Problem(
      'not_found',
      'data_folder.missing',
      `The data folder ${dataDir} contains no embedded database. Set QUAYSIDE_DATA_DIR to the same value as for the server.`,
    )
  await requireFolderOfUser(dataDir)
  const closers: (() => Promise<void>)[] = []
  try {
    const lock = await acquireInstanceLock(dataDir)
    closers.push(() => lock.release())
    const { connection: source, location } = await provideDatabase({ ...settings, dataDir }, log, closers)
    const { tables, rows, target } = await copyDatabase({
      source,
      target: { connectionString: to },
      migrationsFolder,
      queueSchema,
      onProgress: createProgress(),
    })
    process.stdout.write(`
Copied ${tables} tables with ${rows} rows to the database "${target.database}" at ${addressOf(target)} and counted them there.

Next, set DATABASE_URL to the URL that you used, keep all other settings, and start the server. Once it works, delete
${location}, which was not changed: a start without DATABASE_URL would use it again.
`)
    return 0
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

async function backUp(settings: Config, folder: string, previous: string | undefined): Promise<number> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) }
  if (!existsSync(config.dataDir))
    throw new Problem(
      'not_found',
      'data_folder.missing',
      `The data folder ${config.dataDir} does not exist. Set QUAYSIDE_DATA_DIR to the same value as for the server.`,
    )
  await requireFolderOfUser(config.dataDir)
  const closers: (() => Promise<void>)[] = []
  try {
    const connection = await connectToAnyDatabase(config, closers)
    const onProgress = createProgress()
    const copied = await createBackup({ folder, previous, config, connection, queueSchema, log, onProgress })
    process.stdout.write(`
The backup is in ${folder}: ${describeFiles(copied)}, the database${copied.hasSecret ? ' and the master secret' : ''}.
`)
    if (!copied.hasSecret)
      process.stdout.write('The backup does not include QUAYSIDE_SECRET. Store its value separately.\n')
    return reportDamage(copied, 'Restore the skipped files from an earlier backup.')
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/**
 * Returns a connection to the database in DATABASE_URL or to the database of the running service. If there is neither,
 * starts the embedded database.
 */
async function connectToAnyDatabase(config: Config, closers: (() => Promise<void>)[]): Promise<Connection> {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url !== undefined) return { connectionString: url }
  if (!existsSync(resolve(config.dataDir, 'postgres')))
    throw new Problem(
      'not_found',
      'data_folder.missing',
      `The data folder ${config.dataDir} contains no embedded database. Use the same settings as for the server.`,
    )
  try {
    const lock = await acquireInstanceLock(config.dataDir)
    closers.push(() => lock.release())
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'instance.running') throw error
    const { connection, close } = await connectToRunningDatabase(config.dataDir)
    closers.push(close)
    return connection
  }
  return (await provideDatabase(config, log, closers)).connection
}

async function restore(settings: Config, folder: string): Promise<number> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) }
  const manifest = await readManifest(folder)
  const closers: (() => Promise<void>)[] = []
  try {
    await createEmptyFolder(
      config.dataDir,
      'Restore to a new folder: set QUAYSIDE_DATA_DIR. If an earlier restore failed, delete what it created.',
    )
    await requireFolderOfUser(config.dataDir)
    const lock = await acquireInstanceLock(config.dataDir)
    closers.push(() => lock.release())
    const { connection } = await provideDatabase(config, log, closers)
    const onProgress = createProgress()
    const copied = await restoreBackup({
      folder,
      manifest,
      config,
      connection,
      queueSchema,
      migrationsFolder,
      log,
      onProgress,
    })
    process.stdout.write(`
Restored ${describeFiles(copied)} and the database from ${manifest.created_at} to ${config.dataDir}.
`)
    if (!manifest.has_secret && config.secret === undefined)
      process.stdout.write(
        'The backup contains no master secret. Set QUAYSIDE_SECRET to the previous value before you start the server.\n',
      )
    return reportDamage(copied, 'The server can start without these files. Copy them from another backup.')
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

function describeFiles({ objects, sizeBytes }: CopiedObjects): string {
  return `${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)})`
}

/** Prints the files that are missing or damaged, and returns the exit code. */
function reportDamage({ damagedPaths }: CopiedObjects, advice: string): number {
  if (damagedPaths.length === 0) return 0
  for (const path of damagedPaths) process.stderr.write(`quayside-server: ${path} is missing or damaged\n`)
  process.stderr.write(`quayside-server: files skipped: ${damagedPaths.length}. ${advice}\n`)
  return 1
}

/**
 * Returns a function that prints each table when it is complete and, every few seconds, the progress of a long step.
 */
function createProgress(): (progress: CopyProgress | ObjectProgress) => void {
  let printedAt = performance.now()
  return (progress) => {
    const now = performance.now()
    const isComplete = 'table' in progress ? progress.rows !== undefined : progress.isComplete
    if (!isComplete && now - printedAt < progressIntervalMs) return
    printedAt = now
    process.stderr.write(`${describeProgress(progress)}\n`)
  }
}

function describeProgress(progress: CopyProgress | ObjectProgress): string {
  if (!('table' in progress))
    return `files: ${progress.objects} of ${progress.totalObjects}, ${sizeString(progress.sizeBytes)} of ${sizeString(progress.totalBytes)}`
  const { table, bytes, rows } = progress
  return `${table}: ${rows === undefined ? `${sizeString(bytes)} so far` : `${rows} rows, ${sizeString(bytes)}`}`
}
