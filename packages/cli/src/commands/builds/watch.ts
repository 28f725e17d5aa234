import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import type { WatchOptions } from './run-watch.ts'

export function addBuildsWatch(parent: Command, runtime: Runtime): void {
  addCommand<WatchOptions>(parent, runtime, {
    usage: 'watch',
    summary: 'print builds as they are created, changed and deleted',
    description:
      'Print a line for each build that is created, changed or deleted, until the command is interrupted.\n' +
      'If the connection is lost or the server restarts, the command reconnects and misses nothing.\n\n' +
      'With --json, each line is an object with action, id, changed_at, cursor and build. To continue in a later run,\n' +
      'pass the cursor of the last line to --cursor within 30 days.',
    result: { action: false, id: false, changed_at: false, cursor: false, build: 'getBuild' },
    example: 'quayside builds watch --stream nightlies',
    options: (command) =>
      command
        .option('--stream <names>', 'only builds in these streams (comma-separated)')
        .option('--platform <slugs>', 'only builds for these platforms (comma-separated)')
        .option('--cursor <cursor>', 'start with the changes after this cursor'),
    async run(context, _arguments, options) {
      const { runWatch } = await import('./run-watch.ts')
      await runWatch(context, options)
    },
  })
}
