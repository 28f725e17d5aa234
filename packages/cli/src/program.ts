import { Command, CommanderError } from 'commander'
import { withGlobalOptions } from './add-command.ts'
import { failureAnnotation } from './ci/failure-annotation.ts'
import type { Runtime } from './command-context.ts'
import { sections } from './command-table.ts'
import { version } from './defaults.ts'
import { exitCodes, Failure, toFailureReport } from './failure.ts'
import type { FailureReport } from './failure.ts'
import { fieldName } from './field-name.ts'
import { formatFooter, styleTitle, subcommandTerm } from './help.ts'
import { isJsonSelected, normalizeJsonOption } from './json-option.ts'
import { createOutput } from './output/output.ts'

/** Runs a command. `args` excludes the program name. Resolves with the exit code and never rejects. */
export async function runQuayside(args: string[], runtime: Runtime): Promise<number> {
  if (args[0] === 'ci-upload') {
    const { uploadArguments } = await import('./ci/upload-arguments.ts')
    return runQuayside(['upload', ...args.slice(1), ...uploadArguments(runtime.env)], runtime)
  }
  let usageError = ''
  const isCommand = sections.some(({ commands }) => args[0] !== undefined && Object.hasOwn(commands, args[0]))
  const program = await createProgram(
    runtime,
    (text) => (usageError += text),
    isCommand ? args[0] : undefined,
  )
  if (args[0] === '__complete') {
    const { completionLines } = await import('./commands/completion/candidates.ts')
    runtime.stdout.write(await completionLines(program, args.slice(1), runtime))
    return 0
  }
  const words = args.length === 0 ? ['--help'] : normalizeJsonOption(program, withoutHelp(program, args))
  const isJson = isJsonSelected(words)
  let running = program
  program.hook('preAction', (_program, command) => {
    running = command
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      const report = { message: usageMessage(error), kind: 'usage' as const }
      if (isJson || isAnnotated(runtime)) printFailure(runtime, isJson, report)
      else runtime.stderr.write(rewordUsageError(usageError).replace(/^error: /, 'quayside: '))
      return exitCodes.usage
    }
    const isInterrupted = runtime.signal.aborted && !(error instanceof Failure)
    const report = toFailureReport(
      isInterrupted ? new Failure('interrupted', 'Interrupted.') : error,
      (field) => fieldName(running, field),
    )
    printFailure(runtime, isJson, report)
    return exitCodes[report.kind]
  }
}

const isAnnotated = ({ env }: Runtime): boolean => failureAnnotation(env, '') !== undefined

/** Prints a failure so that the CI system shows it on the page of the run. With `--json`, programs read it. */
function printFailure(runtime: Runtime, isJson: boolean, report: FailureReport): void {
  const annotation = isJson ? undefined : failureAnnotation(runtime.env, report.message)
  if (annotation === undefined) createOutput(runtime, isJson).failure(report)
  else runtime.stderr.write(`${annotation}\n`)
}

/** Removes `help` before an unknown command, because Commander would show the help of the program without an error. */
function withoutHelp(program: Command, args: string[]): string[] {
  const [first, second] = args
  const isUnknown = second !== undefined && !program.commands.some((command) => command.name() === second)
  return first === 'help' && isUnknown && !second.startsWith('-') ? args.slice(1) : args
}

function usageMessage({ code, message }: CommanderError): string {
  // Commander shows the help of a group that is run without a command.
  if (code === 'commander.help') return 'A command is required. Run with --help to see the commands.'
  return rewordUsageError(message)
    .replace(/^error: /, '')
    .replace("'--json='", "'--json'")
    .replaceAll('\n', ' ')
}

/** Replaces the wording of Commander for missing and invalid values. */
function rewordUsageError(text: string): string {
  return text
    .replace(
      /command-argument value ('.*?') is invalid for argument ('.*?')/,
      'value $1 is invalid for the argument $2',
    )
    .replace(/option ('.*?') argument ('.*?') is invalid/, 'value $2 is invalid for the option $1')
    .replace(/option ('.*?') argument missing/, 'option $1 requires a value')
    .replace(/required option ('.*?') not specified/, 'option $1 is required')
}

/**
 * Creates the command tree, or only the part below the top-level command `only`. `writeUsageError` receives the text that
 * Commander prints before it throws an error.
 */
export async function createProgram(
  runtime: Runtime,
  writeUsageError: (text: string) => void,
  only?: string,
): Promise<Command> {
  const hasColors = ({ isTTY }: { isTTY?: boolean | undefined }) => isTTY === true && !runtime.env['NO_COLOR']
  const program = new Command('quayside')
    .description('Upload, list and download builds on a Quayside server.')
    .version(version, '-V, --version', 'print the version')
    // Without this, `upload --version` would print the program version.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run the command with --help for usage.')
    .configureOutput({
      writeOut: (text) => void runtime.stdout.write(text),
      writeErr: writeUsageError,
      getOutHasColors: () => hasColors(runtime.stdout),
      getErrHasColors: () => hasColors(runtime.stderr),
    })
    .helpOption('-h, --help', 'show help')
    .configureHelp({ subcommandTerm, styleTitle })
    .commandsGroup('Other commands:')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', formatFooter())
  withGlobalOptions(program)
  for (const { heading, commands } of sections) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands))
      if (only === undefined || name === only) (await load())(program, runtime)
  }
  return program
}
