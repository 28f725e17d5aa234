import { Command, CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { World } from './command-context.ts'
import { withSettings } from './command-context.ts'
import { addApplicationsCreate } from './commands/applications/create.ts'
import { addApplicationsGet } from './commands/applications/get.ts'
import { addApplicationsList } from './commands/applications/list.ts'
import { addDownload } from './commands/builds/download.ts'
import { addBuildsGet } from './commands/builds/get.ts'
import { addBuildsList } from './commands/builds/list.ts'
import { addUpload } from './commands/builds/upload.ts'
import { addKeysCreate } from './commands/keys/create.ts'
import { addKeysList } from './commands/keys/list.ts'
import { addKeysRevoke } from './commands/keys/revoke.ts'
import { addServe } from './commands/serve.ts'
import { exitCodes, Failure, reportOf } from './failure.ts'
import { createOutput } from './output/output.ts'

/** Runs one command line (without the program's name); resolves with the exit code and never rejects. */
export async function runQuayside(arguments_: string[], world: World): Promise<number> {
  const program = createProgram(world)
  try {
    await program.parseAsync(arguments_, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const interrupted = world.signal.aborted && !(error instanceof Failure)
    const report = reportOf(interrupted ? new Failure('interrupted', 'Interrupted.') : error)
    createOutput(world, arguments_.includes('--json')).failure(report)
    return exitCodes[report.kind]
  }
}

function createProgram(world: World): Command {
  const program = new Command('quayside')
    .description('Upload, list and download builds of a Quayside service.')
    .version(packageJson.version, '-V, --version', 'print the version of this program')
    // Keeps `--version` of `upload` apart from the program's own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(add --help for the options and an example)')
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
    })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong use, 3 not allowed, 4 not reachable.')
  withSettings(program)
  addUpload(program, world)
  addDownload(program, world)
  const builds = program.command('builds').description('builds of an application')
  addBuildsList(builds, world)
  addBuildsGet(builds, world)
  const applications = program.command('applications').description('applications of the workspace')
  addApplicationsCreate(applications, world)
  addApplicationsList(applications, world)
  addApplicationsGet(applications, world)
  const keys = program
    .command('keys')
    .description('API keys of the workspace or, with --application, of one application')
  addKeysCreate(keys, world)
  addKeysList(keys, world)
  addKeysRevoke(keys, world)
  addServe(program, world)
  return program
}
