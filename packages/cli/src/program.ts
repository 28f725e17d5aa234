import { Command, CommanderError } from 'commander'
import { addCommandGroup, version, withGlobalOptions } from './add-command.ts'
import type { Runtime } from './command-context.ts'
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
import { addMirror } from './commands/mirror/mirror.ts'
import { exitCodes, Failure, toFailureReport } from './failure.ts'
import { createOutput } from './output/output.ts'

const footer = `
Environment variables:
  QUAYSIDE_SERVER       server URL
  QUAYSIDE_API_KEY      API key
  QUAYSIDE_APPLICATION  application ID or name

Exit codes:
  0    success
  1    failure
  2    usage error
  3    not authorized
  4    server unreachable
  130  interrupted

Run \`quayside <command> --help\` for more information about a command.`

/** Runs a command. `args` excludes the program name. Resolves with the exit code and never rejects. */
export async function runQuayside(args: string[], runtime: Runtime): Promise<number> {
  const program = createProgram(runtime)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const isInterrupted = runtime.signal.aborted && !(error instanceof Failure)
    const report = toFailureReport(isInterrupted ? new Failure('interrupted', 'Interrupted.') : error)
    createOutput(runtime, args.includes('--json')).failure(report)
    return exitCodes[report.kind]
  }
}

function createProgram(runtime: Runtime): Command {
  const program = new Command('quayside')
    .description('Upload, list and download builds on a Quayside server.')
    .version(version, '-V, --version', 'print the version')
    // Without this, `upload --version` would print the program version.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run the command with --help for usage.')
    .configureOutput({
      writeOut: (text) => void runtime.stdout.write(text),
      writeErr: (text) => void runtime.stderr.write(text.replace(/^error: /, 'quayside: ')),
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', footer)
  withGlobalOptions(program)
  addUpload(program, runtime)
  addDownload(program, runtime)
  addMirror(program, runtime)
  const builds = addCommandGroup(program, 'builds', 'list and show builds')
  addBuildsList(builds, runtime)
  addBuildsGet(builds, runtime)
  const applications = addCommandGroup(program, 'applications', 'create, list and show applications')
  addApplicationsCreate(applications, runtime)
  addApplicationsList(applications, runtime)
  addApplicationsGet(applications, runtime)
  const keys = addCommandGroup(program, 'keys', 'create, list and revoke API keys')
  addKeysCreate(keys, runtime)
  addKeysList(keys, runtime)
  addKeysRevoke(keys, runtime)
  return program
}
