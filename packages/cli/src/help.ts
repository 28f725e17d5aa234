import type { Command } from 'commander'

type Entry = [term: string, description: string]

export const environmentVariables: Entry[] = [
  ['QUAYSIDE_SERVER', 'server URL'],
  ['QUAYSIDE_API_KEY', 'API key'],
  ['QUAYSIDE_ID_TOKEN', 'OIDC token from the CI run, used if there is no key'],
  ['QUAYSIDE_APPLICATION', 'application ID or name'],
  ['QUAYSIDE_COMPLETION_TIMEOUT_MS', 'how long the shell completion waits for the server (default: 1500)'],
]

export const exitCodeMeanings: Entry[] = [
  ['0', 'success'],
  ['1', 'failure'],
  ['2', 'usage error'],
  ['3', 'not authorized'],
  ['4', 'server unreachable'],
  ['129', 'terminal closed (SIGHUP)'],
  ['130', 'interrupted (SIGINT)'],
  ['143', 'terminated (SIGTERM)'],
]

/** Formats a heading in bold. Commander removes the formatting if the output is not a terminal. */
export const styleTitle = (title: string): string => `\u001b[1m${title}\u001b[22m`

/** Returns the text after the list of commands. */
export function formatFooter(): string {
  return [
    `\n${styleTitle('Environment variables:')}`,
    ...formatEntries(environmentVariables),
    `\n${styleTitle('Exit codes:')}`,
    ...formatEntries(exitCodeMeanings),
    '\nRun `quayside <command> --help` for more information about a command.',
  ].join('\n')
}

/** Formats a command and its arguments for the list of commands. */
export function subcommandTerm(command: Command): string {
  const argumentTerms = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...argumentTerms].join(' ')
}

function formatEntries(entries: Entry[]): string[] {
  const width = Math.max(...entries.map(([term]) => term.length))
  return entries.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`)
}
