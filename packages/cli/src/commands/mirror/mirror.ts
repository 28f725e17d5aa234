import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { integerBetween } from '../../option-parsers.ts'
import { mirrorResultFields } from './mirror-result.ts'
import type { MirrorOptions } from './run-mirror.ts'

export function addMirror(parent: Command, runtime: Runtime): void {
  addCommand<MirrorOptions>(parent, runtime, {
    usage: 'mirror <application> <folder>',
    summary: 'keep a copy of all builds in a folder',
    description:
      'Copy the files and metadata of every build and release of an application to a folder, verify their checksums,\n' +
      'and apply later changes: when a build is moved to another stream or deleted, the folder is updated to match.\n' +
      'Rerun the command to update the copy or to resume after an interruption.\n\n' +
      'The folder contains builds/<stream>/<version>_<build>/ with build.json, files/, expansion/ and metadata/,\n' +
      'and releases/<version>_<release>.json.',
    result: mirrorResultFields,
    example: 'quayside mirror "My App" /srv/mirror --watch',
    options: (command) =>
      command
        .option('--once', 'exit when the copy is up to date (default)')
        .option('--watch', 'keep running and copy changes as they happen')
        .option(
          '--interval <seconds>',
          'with --watch: maximum time between checks for changes',
          integerBetween(1, 86_400),
          10,
        )
        .option('--jobs <number>', 'number of builds to copy at the same time', integerBetween(1, 32), 4)
        .option('--keep-deleted', 'move deleted builds to deleted/ instead of deleting them'),
    async run(context, [application = '', folder = ''], options) {
      const { runMirror } = await import('./run-mirror.ts')
      await runMirror(context, application, folder, options)
    },
  })
}
