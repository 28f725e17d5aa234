import { resolve } from 'node:path'
import { fingerprintOf } from '../export/export-key.ts'
import { discardImport } from '../import/discard-import.ts'
import { runImport } from '../import/run-import.ts'
import { adminCommand, type AdminCall } from './command.ts'
import { readPassphrase } from './passphrase.ts'
import { openServerParts } from './server-parts.ts'
import { showProgress } from './show-progress.ts'
import { requireWorkspace } from './workspace-choice.ts'

export const importCommand = adminCommand({
  name: 'import',
  summary: 'add an exported workspace or application to this server',
  description: `Add an exported workspace or application to a workspace of this server. The server can be running. All resources get
new IDs, which are listed in id-map-<workspace>.jsonl in the folder. Applications appear when the import is complete.
Rerun the command to resume an interrupted import. A workspace without applications gets the name, the logo and the
default streams of the export.`,
  parameters: ['<folder>'],
  options: {
    workspace: {
      value: '<id>',
      description: 'the workspace to import into (default: the only workspace of the server)',
    },
    'trusted-key': {
      value: '<fingerprint>',
      description: 'reject an export that was not signed with this key, which the export prints',
    },
    'passphrase-file': {
      value: '<file>',
      description: 'the passphrase with which the secrets of webhooks were encrypted',
    },
    discard: {
      description: `discard an unfinished import of this export instead of resuming it; the server
deletes its hidden applications within two hours`,
    },
    again: { description: 'import an export again that was already imported; its resources are copied' },
    'without-secrets': { description: 'do not import the secrets of webhooks' },
  },
  examples: [
    'quayside-server admin import /exports/all --passphrase-file passphrase.txt',
    'quayside-server admin import /exports/app --trusted-key SHA256:Xh1…',
  ],
  async run({ config: settings, args, options, terminal, log, closers }) {
    const folder = resolve(args[0])
    if (options.discard)
      return discard(folder, options.workspace, { config: settings, terminal, log, closers })
    const passphrase = await readPassphrase(options['passphrase-file'])
    const { config, db, storage, secretBox } = await openServerParts(settings, { log, closers })
    const { manifest, wasFinished, idMapPath } = await runImport({
      db,
      storage,
      folder,
      publicUrl: config.publicUrl,
      workspaceId: await requireWorkspace(db, options.workspace),
      secretBox,
      passphrase,
      isRepeated: options.again,
      skipsSecrets: options['without-secrets'],
      trustedKey: options['trusted-key'],
      onProgress: showProgress(terminal),
    })
    terminal.print(
      wasFinished
        ? 'This export was already imported into the workspace. Nothing was changed. Use --again to import a copy.'
        : `
Imported the export of ${manifest.source.url} from ${manifest.created_at}, signed with the key
${fingerprintOf(manifest.public_key)}. The new IDs are in ${idMapPath}.`,
    )
    return 0
  },
})

/** Discards an unfinished import and prints what that means. */
async function discard(
  folder: string,
  workspace: string | undefined,
  { config: settings, terminal, log, closers }: Pick<AdminCall, 'config' | 'terminal' | 'log' | 'closers'>,
): Promise<number> {
  const { config, db } = await openServerParts(settings, { log, closers })
  const workspaceId = await requireWorkspace(db, workspace)
  const { trashDays } = config
  const applications = await discardImport({ db, folder, workspaceId, trashDays })
  terminal.print(
    applications === undefined
      ? 'There is no unfinished import of this export into the workspace. Nothing was changed.'
      : `Discarded the unfinished import. Hidden applications that the server deletes within two hours: ${applications}. Import the export again after that.`,
  )
  return 0
}
