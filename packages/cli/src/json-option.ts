import type { Command } from 'commander'

/**
 * Rewrites `--json` so that its optional field list is unambiguous: `--json=id,name`, or `--json=` for all fields. The
 * word after `--json` is the field list unless it is a command or a required argument, as in `download --json latest`.
 */
export function normalizeJsonOption(program: Command, args: string[]): string[] {
  const { command, words, jsonOptions, fieldLists } = readWords(program, args)
  const required = command.registeredArguments.filter((argument) => argument.required).length
  const max = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length
  let count = words.length
  for (const index of words.filter((word) => jsonOptions.has(word - 1))) {
    const isFieldList = /^[a-z_][\w.]*(,[\w.]+)*$/.test(args[index] ?? '')
    if (count <= max && (!isFieldList || count <= required)) continue
    fieldLists.add(index)
    count--
  }
  return args.flatMap((word, index) => {
    if (fieldLists.has(index)) return []
    if (!jsonOptions.has(index)) return [word]
    return [fieldLists.has(index + 1) ? `--json=${args[index + 1]}` : '--json=']
  })
}

/** Returns whether the normalized arguments select JSON output. */
export function isJsonSelected(args: string[]): boolean {
  return args.some((word) => word.startsWith('--json='))
}

type Words = {
  /** The selected command. */
  command: Command
  /** The indexes of the command's arguments, which may include field lists. */
  words: number[]
  /** The indexes of `--json`. */
  jsonOptions: Set<number>
  /** The indexes of words that directly follow `--json` and must be field lists. */
  fieldLists: Set<number>
}

function readWords(program: Command, args: string[]): Words {
  let command = program
  const words: number[] = []
  const jsonOptions = new Set<number>()
  const fieldLists = new Set<number>()
  let isAfterOptions = false
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    const subcommand = isAfterOptions ? undefined : findSubcommand(command, word)
    if (subcommand) {
      command = subcommand
    } else if (jsonOptions.has(index - 1) && command.commands.length > 0) {
      fieldLists.add(index)
    } else if (isAfterOptions || !word.startsWith('-') || word === '-') {
      words.push(index)
    } else if (word === '--') {
      isAfterOptions = true
    } else if (word === '--json') {
      jsonOptions.add(index)
    } else if (
      command.options.some(({ long, short, required }) => required && (word === long || word === short))
    ) {
      index++
    }
  }
  return { command, words, jsonOptions, fieldLists }
}

const findSubcommand = (command: Command, word: string): Command | undefined =>
  command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word))
