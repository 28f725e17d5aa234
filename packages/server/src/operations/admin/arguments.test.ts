import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArguments } from './arguments.ts'
import { adminCommand } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp, overviewHelp } from './help.ts'

const sample = adminCommand({
  name: 'copy',
  summary: 'copy a folder',
  description: 'Copy a folder.',
  parameters: ['<folder>'],
  options: {
    to: { value: '<url>', isRequired: true, description: 'the target' },
    limit: { value: '<count>', description: 'maximum number of files,\nwithout subfolders' },
    quiet: { description: 'print nothing' },
  },
  examples: ['quayside-server admin copy data --to s3://copies'],
  run: async ({ args, options }) => (args[0] === options.to && options.quiet ? 0 : 1),
})

const parse = (...argv: string[]) => parseArguments([sample], argv)

const messageOf = (...argv: string[]) => {
  const parsed = parse(...argv)
  return parsed.kind === 'error' ? parsed.message : undefined
}

test('parses arguments, values and switches in any order', () => {
  const parsed = parse('copy', '--quiet', 'data', '--to', 's3://copies')
  assert.equal(parsed.kind, 'run')
  if (parsed.kind !== 'run') return
  assert.equal(parsed.command.name, 'copy')
  assert.deepEqual(parsed.args, ['data'])
  assert.deepEqual(parsed.options, { to: 's3://copies', limit: undefined, quiet: true })
})

test('reports missing and unknown commands, arguments and options', () => {
  assert.equal(messageOf(), 'a command is missing')
  assert.equal(messageOf('--to', 'x'), 'a command is missing')
  assert.equal(messageOf('erase'), "unknown command 'erase'")
  assert.equal(messageOf('copy', '--to', 'x'), 'the argument <folder> is missing')
  assert.equal(messageOf('copy', 'data'), 'the option --to <url> is missing')
  assert.equal(messageOf('copy', 'data', 'more', '--to', 'x'), "unknown argument 'more'")
  assert.match(messageOf('copy', 'data', '--to', 'x', '--fast') ?? '', /Unknown option '--fast'/)
})

test('shows the help of a command even if its arguments are incomplete', () => {
  assert.deepEqual(parse('copy', '--help'), { kind: 'help', command: sample })
  assert.deepEqual(parse('-h'), { kind: 'help', command: undefined })
})

test('generates the help from the descriptions of a command', () => {
  assert.equal(
    commandHelp(sample),
    `Usage: quayside-server admin copy <folder> --to <url> [options]

Copy a folder.

Options:
  --to <url>       the target
  --limit <count>  maximum number of files,
                   without subfolders
  --quiet          print nothing
  -h, --help       show help

Exit codes:
  0   success
  1   failure
  2   usage error
  78  invalid setting

Example:
  $ quayside-server admin copy data --to s3://copies
`,
  )
})

test('describes every command within 120 columns', () => {
  const overview = overviewHelp(commands)
  for (const command of commands) {
    assert.ok(overview.includes(`  ${command.name} `), command.name)
    const lines = commandHelp(command).split('\n')
    assert.deepEqual(
      lines.filter((line) => line.length > 120),
      [],
    )
  }
})
