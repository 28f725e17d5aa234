import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { integerBetween } from '../../option-parsers.ts'
import { mirrorResultFields } from '../mirror/mirror-result.ts'

export function addExport(parent: Command, runtime: Runtime): void {
  addCommand<{ jobs: number }>(parent, runtime, {
    usage: 'export <application> <folder>',
    summary: 'export an application to a folder',
    description:
      'Copy an application to a folder, from which `quayside import` adds it to any server: builds with their files and\n' +
      'artifacts, streams, labels, custom targets, icons, releases, share links, webhooks and distribution groups, as far\n' +
      'as the key allows. Passwords and secrets are not exported. Files are compared with their checksums. Rerun the\n' +
      'command to update the export or to resume after an interruption.\n\n' +
      'The folder has the format of `quayside mirror`, and application.json describes the application.',
    result: mirrorResultFields,
    example: 'quayside export "My App" /srv/export',
    options: (command) =>
      command.option(
        '--jobs <number>',
        'number of builds to copy at the same time',
        integerBetween(1, 32),
        4,
      ),
    async run(context, [application = '', folder = ''], options) {
      const { runExport } = await import('./run-export.ts')
      await runExport(context, application, folder, options)
    },
  })
}
