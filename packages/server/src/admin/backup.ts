import { resolve } from 'node:path'
import { createBackup } from '../backup/create-backup.ts'
import { adminCommand } from './command.ts'
import { createCopyProgress, describeFiles, queueSchema, reportDamage } from './copy-progress.ts'
import { connectToAnyDatabase, openBucket, requireDataFolder, usesDataFolder } from './data-access.ts'

export const backup = adminCommand({
  name: 'backup',
  summary: 'write the database, the files and the master secret to an empty folder',
  description: `Write the database, the files and the master secret to an empty folder. A backup can be made while the server is
running. Files are linked instead of copied if the backup is on the same file system as the data folder.`,
  parameters: ['<folder>'],
  options: {
    previous: {
      value: '<folder>',
      description: `an earlier backup; files that it contains are linked instead of copied if both backups
are on the same file system`,
    },
  },
  examples: [
    'quayside-server admin backup /backup/2026-01-31',
    'quayside-server admin backup /backup/2026-02-01 --previous /backup/2026-01-31',
  ],
  async run({ config: settings, args, options, terminal, log, closers }) {
    const folder = resolve(args[0])
    const previous = options.previous === undefined ? undefined : resolve(options.previous)
    const config = usesDataFolder(settings) ? await requireDataFolder(settings) : settings
    const connection = await connectToAnyDatabase(config, { log, closers })
    const storage = await openBucket(config, { log, closers })
    const onProgress = createCopyProgress(terminal)
    const copied = await createBackup({
      folder,
      previous,
      config,
      storage,
      connection,
      queueSchema,
      log,
      onProgress,
    })
    terminal.print(`
The backup is in ${folder}: ${describeFiles(copied)}, the database${copied.hasSecret ? ' and the master secret' : ''}.`)
    if (!copied.hasSecret)
      terminal.print('The backup does not include QUAYSIDE_SECRET. Store its value separately.')
    return reportDamage(terminal, copied, 'Restore the skipped files from an earlier backup.')
  },
})
