import type { Argument, Command, Option } from 'commander'

type Candidate = [value: string, description: string]

/** The line that tells the shell to complete file names. */
const fileNames = ':files'

/**
 * Returns the candidates for the last of `words`, which may be an empty string: a line for each value that starts with
 * it, followed by a tab and a description, or the single line `:files`.
 */
export function completionLines(program: Command, words: string[]): string {
  // Bash splits `--option=value` into three words.
  const parts = words.filter((word) => word !== '=')
  const current = words.at(-1) === '=' ? '' : (parts.pop() ?? '')
  const candidates = findCandidates(program, parts, current)
  if (candidates === fileNames) return `${fileNames}\n`
  return candidates
    .filter(([value]) => value.startsWith(current))
    .map(([value, description]) => `${value}\t${description}\n`)
    .join('')
}

function findCandidates(program: Command, before: string[], current: string): Candidate[] | typeof fileNames {
  const { command, argumentCount, option } = readWords(program, before)
  if (option) return valuesOf(option, option.flags)
  const assignment = /^(--[\w-]+)=/.exec(current)
  if (assignment) {
    const assigned = command.options.find(({ long }) => long === assignment[1])
    // File names are not completed after `--option=`, because the shell would match the whole word against them.
    const values = assigned ? valuesOf(assigned, '') : []
    return values === fileNames ? [] : values.map(([value]) => [`${assignment[1]}=${value}`, ''])
  }
  const help = program.createHelp()
  if (current.startsWith('-')) {
    return help
      .visibleOptions(command)
      .flatMap(({ long, short, description }) =>
        [long, short].flatMap((name): Candidate[] => (name ? [[name, description]] : [])),
      )
  }
  if (command.commands.length > 0)
    return help
      .visibleCommands(command)
      .map((child) => [child.name(), child.summary() || child.description()])
  const { registeredArguments } = command
  const argument = registeredArguments[argumentCount] ?? registeredArguments.find(({ variadic }) => variadic)
  return argument ? valuesOf(argument, argument.name()) : []
}

/** Returns the choices of an option or argument, or file names if its description names a file. */
function valuesOf({ argChoices }: Option | Argument, term: string): Candidate[] | typeof fileNames {
  if (argChoices) return argChoices.map((choice) => [choice, ''])
  return /\b(file|path|folder)s?\b/.test(term.replace(/^.*--[\w-]+/, '')) ? fileNames : []
}

/** Returns the command that the words select, the number of its arguments, and the option whose value comes next. */
function readWords(program: Command, words: string[]) {
  let command = program
  let argumentCount = 0
  let option: Option | undefined
  for (const word of words) {
    const subcommand = command.commands.find(
      (child) => child.name() === word || child.aliases().includes(word),
    )
    if (option) option = undefined
    else if (word.startsWith('-'))
      option = command.options.find(
        ({ long, short, required }) => required && (long === word || short === word),
      )
    else if (subcommand) command = subcommand
    else argumentCount++
  }
  return { command, argumentCount, option }
}
