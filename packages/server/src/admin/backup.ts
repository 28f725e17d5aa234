import { resolve } from 'node:path'
import { createBackup } from '../backup/create-backup.ts'
import type { Config } from '../config.ts'
import { adminCommand, type AdminCall } from './command.ts'
import { describeFiles, queueSchema, reportDamage } from './copied-files.ts'
import { connectToAnyDatabase, openInstallation, requireDataFolder } from './data-access.ts'
import { showProgress } from './show-progress.ts'

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
    const { config, connection, storage } = await openSource(settings, { log, closers })
    const onProgress = showProgress(terminal)
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

/** Opens what is backed up. `storage` is undefined if all files are in the data folder, from which they can be linked. */
async function openSource(settings: Config, context: Pick<AdminCall, 'log' | 'closers'>) {
  if (settings.storage.kind !== 'local' || settings.previousStorage !== undefined)
    return openInstallation(settings, context)
  const config = await requireDataFolder(settings)
  return { config, connection: await connectToAnyDatabase(config, context), storage: undefined }
}
