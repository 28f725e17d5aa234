import type { AdminCommand } from './command.ts'

const exitCodes = `Exit codes:
  0   success
  1   failure
  2   usage error
  78  invalid setting
`

/** Returns the help that lists all commands. */
export function overviewHelp(commands: readonly AdminCommand[]): string {
  const list = columns(commands.map((command) => [usageOf(command), command.summary]))
  return `Usage: quayside-server admin <command>

Maintain a Quayside server. The commands use the same environment variables as the server.

Commands:
${list}

Options:
  -h, --help  show help; after a command, show the help of the command

${exitCodes}`
}

/** Returns the help of one command. */
export function commandHelp(command: AdminCommand): string {
  const options = Object.entries(command.options).map(([name, { value, description }]): [string, string] => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    description,
  ])
  const examples = command.examples.map((line) => `  $ ${line}\n`).join('')
  return `Usage: quayside-server admin ${usageOf(command)}${hasOptional(command) ? ' [options]' : ''}

${command.description}

Options:
${columns([...options, ['-h, --help', 'show help']])}

${exitCodes}
${command.examples.length === 1 ? 'Example' : 'Examples'}:
${examples}`
}

/** Returns the command with its required arguments and options. */
function usageOf({ name, parameters, options }: AdminCommand): string {
  const required = Object.entries(options).flatMap(([option, { value, isRequired }]) =>
    isRequired === true ? [`--${option} ${value}`] : [],
  )
  return [name, ...parameters, ...required].join(' ')
}

const hasOptional = ({ options }: AdminCommand): boolean =>
  Object.values(options).some(({ isRequired }) => isRequired !== true)

/** Aligns the second column. Its further lines are indented like the first. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2
  return rows
    .map(([term, text]) => `  ${term.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
    .join('\n')
}
