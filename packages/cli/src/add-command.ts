import type { Command } from 'commander'
import type { CommandContext, Runtime } from './command-context.ts'
import { defaultServer } from './defaults.ts'
import { styleTitle } from './help.ts'
import type { ResultFields } from './output/declared-fields.ts'

export type CommandDefinition<Options> = {
  /** Name and arguments in Commander syntax, such as `get <build>`. */
  usage: string
  /** Shown in the list of commands. */
  summary: string
  /** Shown in the help of the command itself. Defaults to the summary. */
  description?: string
  /** The fields that `--json` can select. */
  result: ResultFields
  /** A complete command line without the prompt. */
  example: string
  options?: (command: Command) => Command
  /** Whether to omit the command from the list of commands. Set for former names of commands. */
  hidden?: boolean
  run: (context: CommandContext, args: string[], options: Options) => Promise<void>
}

/** Heading for the options that every command accepts. */
export const globalOptionsHeading = 'Options of every command:'

/** Adds the options that every command accepts. */
export function withGlobalOptions(command: Command): Command {
  return command
    .option(
      '--server <url>',
      `server URL (default: $QUAYSIDE_SERVER, the server of \`quayside login\`, or ${defaultServer})`,
    )
    .option(
      '--key <key>',
      'API key, visible to other local users; prefer $QUAYSIDE_API_KEY or `quayside login`',
    )
    .option('--oidc', 'authenticate with an OIDC token from the CI run (default if there is no key)')
    .option('--application <application>', 'application ID or name (default: $QUAYSIDE_APPLICATION)')
    .option('--json [fields]', 'print the result as JSON, or only these fields, such as id,stream.name')
}

/** Adds a command that only groups other commands. */
export function addCommandGroup(parent: Command, name: string, summary: string): Command {
  return parent
    .command(name)
    .summary(summary)
    .description(toSentence(summary))
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
}

const toSentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

/** Adds a command with the global options and an example in its help, and returns it. */
export function addCommand<Options extends object>(
  parent: Command,
  runtime: Runtime,
  definition: CommandDefinition<Options>,
): Command {
  const { usage, summary, example } = definition
  const command = parent
    .command(usage, { hidden: definition.hidden === true })
    .summary(summary)
    .description(definition.description ?? toSentence(summary))
  definition.options?.(command)
  withGlobalOptions(command.optionsGroup(globalOptionsHeading))
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `\n${styleTitle('Example:')}\n  $ ${example}`)
  command.action(async (...received: unknown[]) => {
    // Commander appends the options and the command to the arguments.
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined) as string[]
    // The module is imported lazily, because --help and --version do not need the HTTP modules.
    const { createContext } = await import('./command-context.ts')
    const context = createContext(command, runtime)
    try {
      await requireFields(context, definition.result)
      await definition.run(context, args, command.opts<Options>())
    } finally {
      context.agents.close()
    }
  })
  return Object.assign(command, { resultFields: definition.result })
}

/** Returns the fields that a command declares, or undefined for a group of commands. */
export const resultFieldsOf = (command: Command): ResultFields | undefined =>
  (command as { resultFields?: ResultFields }).resultFields

/** Checks the selected fields before the command changes anything. */
async function requireFields({ settings }: CommandContext, result: ResultFields): Promise<void> {
  if (settings.jsonFields.length === 0) return
  const { requireDeclaredFields } = await import('./output/declared-fields.ts')
  requireDeclaredFields(result, settings.jsonFields)
}
