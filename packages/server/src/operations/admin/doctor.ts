import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { createSecretBox } from '../../crypto/secret-box.ts'
import { connectDatabase } from '../../database/connect.ts'
import type { Db } from '../../database/transaction.ts'
import { checkManifestAddress } from '../../features/installs/manifest-check.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { checkTls } from '../../net/check-tls.ts'
import { migrationsFolder } from '../../start/provide-database.ts'
import { provideConfiguredStorage } from '../../start/provide-storage.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { checkDatabase, checkMigrations } from '../doctor/check-database.ts'
import { checkMail } from '../doctor/check-mail.ts'
import { checkPublicUrl } from '../doctor/check-public-url.ts'
import { checkStorage } from '../doctor/check-storage.ts'
import { checkUpload } from '../doctor/check-upload.ts'
import { adminCommand, type Terminal } from './command.ts'
import { connectToAnyDatabase, requireDataFolder, usesDataFolder } from './data-access.ts'

type Closers = (() => Promise<void>)[]
type Context = { config: Config; log: Logger; closers: Closers; report: (findings: Finding[]) => void }

export const doctor = adminCommand({
  name: 'doctor',
  summary: 'check the settings, the public URL, the database, storage and mail',
  description: `Check the settings, the public URL, TLS, the reverse proxy, the database, storage and mail, and print what to do about
each problem. The server should be running. Also available as quayside-server doctor.

Exit code 1 means that a check failed; warnings do not change the exit code.`,
  parameters: [],
  options: { json: { description: 'print the result as JSON' } },
  examples: ['quayside-server admin doctor'],
  async run({ config, options, terminal, log, closers }) {
    const findings: Finding[] = []
    await runChecks({
      config,
      log,
      closers,
      report(found) {
        findings.push(...found)
        if (!options.json) for (const finding of found) printFinding(terminal, finding)
      },
    })
    const count = (status: Finding['status']) =>
      findings.filter((finding) => finding.status === status).length
    if (options.json) terminal.print(JSON.stringify({ findings }, undefined, 2))
    else
      terminal.print(
        `\nChecks: ${count('ok')} ok, ${count('warning')} with a warning, ${count('failure')} failed`,
      )
    return count('failure') === 0 ? 0 : 1
  },
})

function printFinding(terminal: Terminal, { check, status, detail, advice }: Finding): void {
  terminal.print(`${status.padEnd(8)} ${check}: ${detail}`)
  if (advice !== undefined) terminal.print(`         ${advice}`)
}

/** Runs every check, even if earlier ones fail. Checks that cannot run without another one are left out. */
async function runChecks(context: Context): Promise<void> {
  const { config, report } = context
  const warnings = config.warnings.map((text) => warning('settings', text, 'Correct the setting.'))
  report(warnings.length > 0 ? warnings : [ok('settings', 'valid')])
  const db = await openDatabase(context)
  if (db !== undefined) await checkInstallation(context, db)
  report(await checkTls(config.publicUrl, { now: new Date() }))
  report([await checkMail(config)])
}

async function openDatabase({ config, log, closers, report }: Context): Promise<Db | undefined> {
  try {
    const opened = usesDataFolder(config) ? await requireDataFolder(config) : config
    const connection = await connectToAnyDatabase(opened, { log, closers })
    const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
    closers.push(() => close())
    report(await checkDatabase(db, createSystemClock()))
    return db
  } catch (error) {
    report([
      failure(
        'database',
        reasonOf(error),
        'Check DATABASE_URL or QUAYSIDE_DATA_DIR, and whether PostgreSQL runs.',
      ),
    ])
    return undefined
  }
}

async function checkInstallation(context: Context, db: Db): Promise<void> {
  const { config, report } = context
  report([await checkMigrations(db, migrationsFolder)])
  const secret =
    config.secret ?? (await readFile(join(config.dataDir, 'secret'), 'utf8').catch(() => '')).trim()
  if (secret === '') {
    report([
      failure(
        'secret',
        'there is no master secret',
        'Start the server once, or use the same settings as for it.',
      ),
    ])
    return
  }
  const storage = await openStorage(context, db, secret)
  if (storage !== undefined) report(await checkStorage(db, storage))
  const box = createSecretBox(secret)
  const ofUrl = await checkPublicUrl(config, box)
  report(ofUrl)
  const isReachable = !ofUrl.some(({ status }) => status === 'failure')
  if (isReachable) report([await checkManifestAddress(config, box)])
  if (storage !== undefined && (isReachable || config.storage.kind === 's3'))
    report(await checkUpload(storage, config))
}

async function openStorage(
  { config, log, closers, report }: Context,
  db: Db,
  secret: string,
): Promise<StorageDriver | undefined> {
  const clock = createSystemClock()
  try {
    const quick = { ...config, databaseWaitSeconds: 0 }
    const provided = await provideConfiguredStorage(quick, db, { clock, log, closers, stopping: undefined })
    const { driver } = await provided.open({
      db,
      publicUrl: config.publicUrl,
      secrets: { secret, previousSecret: config.secretPrevious },
      isSoleService: false,
      groupId: undefined,
    })
    return driver
  } catch (error) {
    report([
      failure('storage', reasonOf(error), 'Check the storage settings, the network and the permissions.'),
    ])
    return undefined
  }
}
