import type { Command } from 'commander'
import type { World } from '../command-context.ts'

export function addServe(parent: Command, world: World): void {
  parent
    .command('serve')
    .description('run the server; its settings are environment variables such as QUAYSIDE_PORT')
    .addHelpText('after', '\nExample:\n  $ QUAYSIDE_PORT=8080 QUAYSIDE_DATA_DIR=/srv/quayside quayside serve')
    .action(async () => {
      // The server ends on signals in its own way.
      world.leaveSignals()
      await import('@quayside/server/main')
    })
}
