import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import type { SyncCommandOptions } from './run-sync.ts'
import { withLinkOptions } from './select-build.ts'

export function addSync(parent: Command, runtime: Runtime): void {
  addCommand<SyncCommandOptions>(parent, runtime, {
    usage: 'sync <build> <folder>',
    summary: 'change a folder to the content of a build',
    description:
      'Change a folder to the content of a build.\n' +
      '<build> is an ID, `latest`, or a link that you received, which needs no API key.\n' +
      'The build must be a ZIP archive. Only what the folder lacks is downloaded.\n' +
      'Rerun the command to resume an interrupted sync.\n\n' +
      'Files that do not belong to a build are kept, unless --delete is set.\n' +
      'With --watch and --json, each sync prints an object on a line of its own.',
    result: {
      build_id: false,
      folder: false,
      added: false,
      changed: false,
      removed: false,
      unchanged: false,
      received_bytes: false,
      reused_bytes: false,
      patched_files: false,
      dry_run: false,
    },
    example: 'quayside sync latest Game --stream nightlies',
    options: (command) =>
      withLinkOptions(command)
        .option('--delete', 'remove all files that are not part of the build')
        .option('--dry-run', 'print what would change without writing anything')
        .option('--watch', 'keep running, and sync each build that becomes the newest'),
    async run(context, [build = '', folder = ''], options) {
      const { runSync } = await import('./run-sync.ts')
      await runSync(context, build, folder, options)
    },
  })
}
