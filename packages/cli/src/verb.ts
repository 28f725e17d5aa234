import type { Command } from 'commander'
import { contextOf, withSettings } from './command-context.ts'
import type { CommandContext, World } from './command-context.ts'

export type Verb<Options> = {
  /** Name and arguments as commander reads them: `get <build>`. */
  usage: string
  summary: string
  /** One line that works, without the `$`. */
  example: string
  options?: (command: Command) => Command
  run: (context: CommandContext, arguments_: string[], options: Options) => Promise<void>
}

/** Adds a verb with the common options and its example. */
export function addVerb<Options extends object>(parent: Command, world: World, verb: Verb<Options>): void {
  const command = parent.command(verb.usage).description(verb.summary)
  verb.options?.(command)
  withSettings(command).addHelpText('after', `\nExample:\n  $ ${verb.example}`)
  command.action(async (...given: unknown[]) => {
    const positional = given
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined) as string[]
    const context = contextOf(command, world)
    try {
      await verb.run(context, positional, command.opts<Options>())
    } finally {
      context.agents.http.destroy()
      context.agents.https.destroy()
    }
  })
}
