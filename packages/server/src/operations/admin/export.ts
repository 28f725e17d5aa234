import { resolve } from 'node:path'
import { problem } from '../../lib/problem.ts'
import { sizeString } from '../../lib/sizes.ts'
import { createExport } from '../export/create-export.ts'
import { fingerprintOf } from '../export/export-key.ts'
import { adminCommand } from './command.ts'
import { readPassphrase } from './passphrase.ts'
import { openServerParts } from './server-parts.ts'
import { showProgress } from './show-progress.ts'
import { requireApplicationWorkspace, requireWorkspace } from './workspace-choice.ts'

export const exportCommand = adminCommand({
  name: 'export',
  summary: 'write a workspace or an application to a folder, to import it on another server',
  description: `Write the rows and the files of a workspace or an application to a folder, from which another server can import
them. The server can be running. Rerun the command to resume an interrupted export. The folder contains personal data
and hashes of keys and passwords, so keep it private. It is signed with the key of this installation.`,
  parameters: ['<folder>'],
  options: {
    application: { value: '<id>', description: 'export only this application' },
    workspace: {
      value: '<id>',
      description: 'export this workspace (default: the only workspace of the server)',
    },
    'passphrase-file': {
      value: '<file>',
      description: `include the secrets of webhooks, encrypted with the passphrase in this file;
without this option, the secrets must be set again after the import`,
    },
  },
  examples: [
    'quayside-server admin export /exports/all',
    'quayside-server admin export /exports/app --application 8cm2p4r6t9xz --passphrase-file passphrase.txt',
  ],
  async run({ config: settings, args, options, terminal, log, closers }) {
    if (options.application !== undefined && options.workspace !== undefined) throw severalScopes()
    const passphrase = await readPassphrase(options['passphrase-file'])
    const { config, connection, db, storage, secret } = await openServerParts(settings, { log, closers })
    const folder = resolve(args[0])
    const scope =
      options.application === undefined
        ? { workspaceId: await requireWorkspace(db, options.workspace), applicationId: null }
        : {
            workspaceId: await requireApplicationWorkspace(db, options.application),
            applicationId: options.application,
          }
    const onProgress = showProgress(terminal)
    const manifest = await createExport({
      folder,
      scope,
      config,
      connection,
      storage,
      secret,
      passphrase,
      onProgress,
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    terminal.print(`
The export is in ${folder}: ${rows} rows and ${manifest.files.count} files (${sizeString(manifest.files.size_bytes)}).
It is signed with the key ${fingerprintOf(manifest.public_key)}.`)
    if (!manifest.has_secrets)
      terminal.print('It does not include the secrets of webhooks. Use --passphrase-file to include them.')
    return 0
  },
})

const severalScopes = problem(
  'invalid',
  'config.invalid',
  'Use either --application or --workspace, not both.',
)
