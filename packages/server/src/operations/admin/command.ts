import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'

/** An option without a `value` is a switch. */
export type Option = {
  /** The placeholder of the value in the help, such as `<folder>`. */
  value?: string
  isRequired?: true
  /** One or more lines for the help. */
  description: string
}

type OptionValue<O extends Option> = O extends { value: string }
  ? O extends { isRequired: true }
    ? string
    : string | undefined
  : boolean

type ParameterNames = readonly string[]
type Options = Readonly<Record<string, Option>>

/** Where a command prints: results to standard output, progress and problems to standard error. */
export type Terminal = {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about the progress or a problem. */
  report(line: string): void
  /** Draws a line that the next line replaces. Undefined if standard error is not a terminal. */
  drawStatus?: (line: string) => void
}

type Call<P extends ParameterNames, O extends Options> = {
  config: Config
  /** One argument for each parameter. */
  args: { [Index in keyof P]: string }
  options: { [Name in keyof O]: OptionValue<O[Name]> }
  terminal: Terminal
  log: Logger
  /** Functions that are called in reverse order after the command, even if it fails. */
  closers: (() => Promise<void>)[]
}

type Definition<P extends ParameterNames, O extends Options> = {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Paragraphs for the help of the command. */
  description: string
  /** The names of the required arguments, such as `<folder>`. */
  parameters: P
  options: O
  /** Complete command lines for the help. */
  examples: readonly string[]
  /** Runs the command and returns the exit code. */
  run: (call: Call<P, O>) => Promise<number>
}

/** The values that a command receives after its arguments are parsed. */
export type AdminCall = Omit<Call<ParameterNames, Options>, 'options'> & {
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** A command of `quayside-server admin`, from which its help is generated. */
export type AdminCommand = Omit<Definition<ParameterNames, Options>, 'run'> & {
  run: (call: AdminCall) => Promise<number>
}

/** Defines a command. The types of its arguments and options are inferred from their descriptions. */
export const adminCommand = <const P extends ParameterNames, const O extends Options>(
  definition: Definition<P, O>,
): AdminCommand => definition as unknown as AdminCommand
