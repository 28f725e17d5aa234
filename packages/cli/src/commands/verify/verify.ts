import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withLatestOptions } from '../builds/select-build.ts'
import type { VerifyOptions } from './run-verify.ts'

export function addVerify(parent: Command, runtime: Runtime): void {
  addCommand<VerifyOptions>(parent, runtime, {
    usage: 'verify <file...>',
    summary: 'compare local files with builds on the server',
    description:
      'Report which build of the application has a file with exactly the same bytes. Without --build, files are\n' +
      'compared with the builds that have a file of the same name. Exits with code 1 if a file matches no build.',
    result: { path: false, matches: false, build_id: false, version: false, filename: false },
    example: 'quayside verify app-1.2.3.apk --build 7k2m9p4r3t',
    options: (command) =>
      withLatestOptions(command.option('--build <build>', 'compare with this build only, by ID or "latest"')),
    async run(context, paths, options) {
      const { runVerify } = await import('./run-verify.ts')
      await runVerify(context, paths, options)
    },
  })
}
