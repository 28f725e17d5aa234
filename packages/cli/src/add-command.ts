import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { CommandContext, Runtime } from './command-context.ts'

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
export const { version } = JSON.parse(packageJson) as { version: string }

export type CommandDefinition<Options> = {
  /** Name and arguments in Commander syntax, such as `get <build>`. */
  usage: string
  /** Shown in the list of commands. */
  summary: string
  /** Shown in the help of the command itself. Defaults to the summary. */
  description?: string
  /** A complete command line without the prompt. */
  example: string
  options?: (command: Command) => Command
  run: (context: CommandContext, args: string[], options: Options) => Promise<void>
}

/** Adds the options that every command accepts. */
export function withGlobalOptions(command: Command): Command {
  return command
    .option('--server <url>', 'server URL (default: $QUAYSIDE_SERVER or http://localhost:4400)')
    .option('--key <key>', 'API key (default: $QUAYSIDE_API_KEY)')
    .option('--application <application>', 'application ID or name (default: $QUAYSIDE_APPLICATION)')
    .option('--json', 'print the result as JSON')
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

/** Adds a command with the global options and an example in its help. */
export function addCommand<Options extends object>(
  parent: Command,
  runtime: Runtime,
  definition: CommandDefinition<Options>,
): void {
  const { usage, summary, example } = definition
  const command = parent
    .command(usage)
    .summary(summary)
    .description(definition.description ?? toSentence(summary))
  definition.options?.(command)
  withGlobalOptions(command.optionsGroup('Options of every command:'))
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
  command.action(async (...received: unknown[]) => {
    // Commander passes the arguments, then the options and the command.
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined) as string[]
    // Imported only here, because --help and --version do not need the HTTP modules.
    const { createContext } = await import('./command-context.ts')
    const context = createContext(command, runtime)
    try {
      await definition.run(context, args, command.opts<Options>())
    } finally {
      context.agents.http.destroy()
      context.agents.https.destroy()
    }
  })
}
