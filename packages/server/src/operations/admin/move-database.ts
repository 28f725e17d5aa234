import { resolve } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { copyDatabase } from '../../database/copy/copy-database.ts'
import { addressOf } from '../../database/target.ts'
import { problem } from '../../lib/problem.ts'
import { requireFolderOfUser } from '../../start/data-folder.ts'
import { acquireInstanceLock } from '../../start/instance-lock.ts'
import { migrationsFolder, provideDatabase } from '../../start/provide-database.ts'
import { adminCommand } from './command.ts'
import { queueSchema } from './copied-files.ts'
import { requireEmbeddedDatabase } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const moveDatabase = adminCommand({
  name: 'move-database',
  summary: 'copy the embedded database to an empty database of another PostgreSQL server',
  description: `Copy the embedded database to an empty database of another PostgreSQL server. Stop the server first. The embedded
database is not changed.`,
  parameters: [],
  options: {
    to: {
      value: '<url>',
      isRequired: true,
      description: `URL of the empty database, such as postgres://user@host/database; its password can
also be set with PGPASSWORD, which other users of this computer cannot see`,
    },
  },
  examples: [
    'PGPASSWORD=… quayside-server admin move-database --to postgres://quayside@db.example.com/quayside',
  ],
  async run({ config: settings, options, terminal, log, closers }) {
    if (settings.databaseUrl !== undefined) throw noEmbeddedDatabase()
    // Validates the URL like DATABASE_URL, because it will be the value of that setting.
    const { databaseUrl: to } = readConfig({ DATABASE_URL: options.to })
    const dataDir = resolve(settings.dataDir)
    requireEmbeddedDatabase({ dataDir })
    await requireFolderOfUser(dataDir)
    const lock = await acquireInstanceLock(dataDir)
    closers.push(() => lock.release())
    const { connection: source, location } = await provideDatabase({ ...settings, dataDir }, log, closers)
    const { tables, rows, target } = await copyDatabase({
      source,
      target: { connectionString: to },
      migrationsFolder,
      queueSchema,
      onProgress: showProgress(terminal),
    })
    terminal.print(`
Copied ${tables} tables with ${rows} rows to the database "${target.database}" at ${addressOf(target)} and counted them there.

Next, set DATABASE_URL to the URL that you used, keep all other settings, and start the server. Once it works, delete
${location}, which was not changed: a start without DATABASE_URL would use it again.`)
    return 0
  },
})

const noEmbeddedDatabase = problem(
  'invalid',
  'config.invalid',
  'DATABASE_URL is set, so the server does not use the embedded database. Unset it, or use pg_dump and pg_restore.',
)
