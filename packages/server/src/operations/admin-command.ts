import { pino } from 'pino'
import { readConfig } from '../config/config.ts'
import { Problem } from '../lib/problem.ts'
import { describeStartFailure } from '../start/start-failure.ts'
import { parseArguments } from './admin/arguments.ts'
import { commands } from './admin/commands.ts'
import { commandHelp, overviewHelp } from './admin/help.ts'
import { createTerminal } from './admin/terminal.ts'

const log = pino({ level: 'warn', base: null }, pino.destination({ dest: 2, sync: true }))
const terminal = createTerminal(process)
try {
  // `quayside-server doctor` is short for `quayside-server admin doctor`.
  const [, , name = '', ...rest] = process.argv
  process.exitCode = await run(name === 'admin' ? rest : [name, ...rest])
} catch (error) {
  const dataDir = process.env['QUAYSIDE_DATA_DIR'] ?? './data'
  terminal.report(`quayside-server: ${describeStartFailure(error, { dataDir, log })}`)
  process.exitCode = error instanceof Problem && error.code === 'config.invalid' ? 78 : 1
}

async function run(argv: string[]): Promise<number> {
  const parsed = parseArguments(commands, argv)
  if (parsed.kind === 'error') {
    terminal.report(`quayside-server admin: ${parsed.message}\nRun quayside-server admin --help for usage.`)
    return 2
  }
  if (parsed.kind === 'help') {
    process.stdout.write(parsed.command === undefined ? overviewHelp(commands) : commandHelp(parsed.command))
    return 0
  }
  const { command, args, options } = parsed
  const closers: (() => Promise<void>)[] = []
  try {
    return await command.run({ config: readConfig(process.env), args, options, terminal, log, closers })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
