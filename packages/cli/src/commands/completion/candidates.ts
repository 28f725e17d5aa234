import type { Argument, Command, Option } from 'commander'
import type { Runtime } from '../../command-context.ts'
import type { SettingOptions } from '../../settings.ts'
import type { RemoteKind } from './list-values.ts'
import type { Candidate } from './remote-values.ts'

/** The line that tells the shell to complete file names. */
const fileNames = ':files'

type Found = Candidate[] | typeof fileNames

/**
 * Returns the candidates for the last of `words`, which may be an empty string: a line for each value that starts with
 * it, followed by a tab and a description, or the single line `:files`.
 */
export async function completionLines(program: Command, words: string[], runtime: Runtime): Promise<string> {
  // Bash splits `--option=value` into three words.
  const parts = words.filter((word) => word !== '=')
  const current = words.at(-1) === '=' ? '' : (parts.pop() ?? '')
  const candidates = await findCandidates(program, parts, current, runtime)
  if (candidates === fileNames) return `${fileNames}\n`
  const matching = candidates.filter(([value]) => value.startsWith(current))
  // IDs that follow a name are for people who have started to type one.
  const shown =
    current === '' ? matching.filter(([value], index) => !isIdOf(matching[index - 1], value)) : matching
  return shown.map(([value, description]) => `${value}\t${description}\n`).join('')
}

const isIdOf = (named: Candidate | undefined, id: string): boolean => named?.[1] === id

async function findCandidates(
  program: Command,
  before: string[],
  current: string,
  runtime: Runtime,
): Promise<Found> {
  const words = readWords(program, before)
  const { command, argumentCount, option } = words
  const find = (described: Option | Argument, term: string, kind: RemoteKind | undefined) =>
    valuesOf(described, term, kind) ?? findRemote(kind, words, runtime)
  if (option) return find(option, option.flags, kindOfOption(option))
  const assignment = /^(--[\w-]+)=/.exec(current)
  if (assignment) {
    const assigned = command.options.find(({ long }) => long === assignment[1])
    // File names are not completed after `--option=`, because the shell would match the whole word against them.
    const values = assigned ? await find(assigned, '', kindOfOption(assigned)) : []
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
  return argument ? find(argument, argument.name(), kinds.get(argument.name())) : []
}

/** Returns the choices of an option or argument, or file names if its description names a file. */
function valuesOf(
  { argChoices }: Option | Argument,
  term: string,
  kind: RemoteKind | undefined,
): Found | undefined {
  if (argChoices) return argChoices.map((choice) => [choice, ''])
  if (kind !== undefined) return undefined
  return /\b(file|path|folder)s?\b/.test(term.replace(/^.*--[\w-]+/, '')) ? fileNames : []
}

/** What arguments and options with these names select on the server. */
const kinds = new Map<string, RemoteKind>([
  ['application', 'application'],
  ['build', 'build'],
  ['stream', 'stream'],
  ['label', 'label'],
  ['platform', 'platform'],
  ['release', 'release'],
  ['key', 'key'],
  ['webhook', 'webhook'],
])

/** The value of `--key` is a secret, not the name of a key. */
const kindOfOption = ({ long }: Option): RemoteKind | undefined =>
  long === '--key' ? undefined : kinds.get(long?.slice(2) ?? '')

async function findRemote(
  kind: RemoteKind | undefined,
  { command, options }: ReturnType<typeof readWords>,
  runtime: Runtime,
): Promise<Candidate[]> {
  // These commands take platforms that the application does not have.
  const isNew = kind === 'platform' && ['add', 'create'].includes(command.name())
  if (kind === undefined || isNew) return []
  const settings: SettingOptions = {}
  for (const setting of ['server', 'key', 'application'] as const) {
    const value = options.get(`--${setting}`)
    if (value !== undefined) settings[setting] = value
  }
  const { findRemoteValues } = await import('./remote-values.ts')
  const selection = {
    ...(command.name() === 'restore' ? { trashed: true } : {}),
    ...(options.has('--workspace') ? { workspace: true } : {}),
  }
  return findRemoteValues(kind, settings, selection, runtime)
}

/** Returns the command that the words select, the number of its arguments, and the option whose value comes next. */
function readWords(program: Command, words: string[]) {
  let command = program
  let argumentCount = 0
  let option: Option | undefined
  const options = new Map<string, string>()
  for (const word of words) {
    const subcommand = command.commands.find(
      (child) => child.name() === word || child.aliases().includes(word),
    )
    const [flag = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]
    if (option) {
      options.set(option.long ?? '', word)
      option = undefined
    } else if (word.startsWith('-')) {
      options.set(flag, value ?? '')
      option =
        value === undefined
          ? command.options.find(({ long, short, required }) => required && (long === word || short === word))
          : undefined
    } else if (subcommand) command = subcommand
    else argumentCount++
  }
  return { command, argumentCount, option, options }
}
