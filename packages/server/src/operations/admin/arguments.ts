import { parseArgs } from 'node:util'
import type { AdminCall, AdminCommand } from './command.ts'

export type ParsedArguments =
  | { kind: 'run'; command: AdminCommand; args: AdminCall['args']; options: AdminCall['options'] }
  /** `command` is undefined for the help that lists all commands. */
  | { kind: 'help'; command: AdminCommand | undefined }
  | { kind: 'error'; message: string }

const failed = (message: string): ParsedArguments => ({ kind: 'error', message })

const isHelp = (argument: string): boolean => argument === '-h' || argument === '--help'

/** Parses the arguments after `quayside-server admin`. */
export function parseArguments(commands: readonly AdminCommand[], argv: readonly string[]): ParsedArguments {
  const [name, ...rest] = argv
  if (name === undefined) return failed('a command is missing')
  if (isHelp(name)) return { kind: 'help', command: undefined }
  const command = commands.find((known) => known.name === name)
  if (command === undefined)
    return failed(name.startsWith('-') ? 'a command is missing' : `unknown command '${name}'`)
  if (rest.some(isHelp)) return { kind: 'help', command }
  try {
    return readArguments(command, rest)
  } catch (error) {
    return failed((error as Error).message)
  }
}

function readArguments(command: AdminCommand, rest: string[]): ParsedArguments {
  const known = Object.entries(command.options)
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: Object.fromEntries(
      known.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
    ),
  })
  const extra = positionals[command.parameters.length]
  if (extra !== undefined) return failed(`unknown argument '${extra}'`)
  const missing = command.parameters[positionals.length]
  if (missing !== undefined) return failed(`the argument ${missing} is missing`)
  const required = known.find(([name, { isRequired }]) => isRequired === true && values[name] === undefined)
  if (required !== undefined) return failed(`the option --${required[0]} ${required[1].value} is missing`)
  const options = Object.fromEntries(
    known.map(([name, { value }]) => [name, values[name] ?? (value === undefined ? false : undefined)]),
  )
  return { kind: 'run', command, args: positionals, options }
}
