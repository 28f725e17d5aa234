import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import type { ImportOptions } from './run-import.ts'

export function addImport(parent: Command, runtime: Runtime): void {
  addCommand<ImportOptions>(parent, runtime, {
    usage: 'import [folder]',
    summary: 'import an application from a folder or another server',
    description:
      'Copy an application to this server from a folder of `quayside export` or from any server with the same API: builds\n' +
      'with their files and artifacts, streams, labels, custom targets, icons, releases, share links, webhooks and\n' +
      'distribution groups, as far as both keys allow. Files are compared with their checksums. Without --application, a\n' +
      'new application is created. Rerun the command to resume after an interruption, or add --start-over to import\n' +
      'everything again, into a new application.\n\n' +
      'The report at the end lists what to create again, such as share links with passwords, and what was not imported.\n' +
      'Builds and releases get new IDs and creation times. To keep the times and everything else, use\n' +
      '`quayside-server admin export` and `import`.',
    result: {
      application_id: false,
      state: false,
      builds: false,
      skipped_builds: false,
      releases: false,
      sent_bytes: false,
      custom_targets: false,
      icons: false,
      share_links: false,
      webhooks: false,
      distribution_groups: false,
      create_again: { type: false, name: false, reason: false },
      not_imported: { what: false, reason: false },
    },
    example: 'quayside import --from https://old.example.com --from-application 8cm2p4r6t9xz',
    options: (command) =>
      command
        .option('--from <url>', 'server to import from')
        .option('--from-application <id>', 'ID of the application on that server')
        .option(
          '--from-key <key>',
          'API key for that server, visible to other local users; prefer $QUAYSIDE_FROM_API_KEY',
        )
        .option('--state <file>', 'file that records the new IDs (default: in the state folder of the user)')
        .option('--start-over', 'discard the record of earlier runs and import everything again'),
    async run(context, [folder], options) {
      const { runImport } = await import('./run-import.ts')
      await runImport(context, folder, options)
    },
  })
}
