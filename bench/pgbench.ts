import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireCommand, run } from './commands.ts'
import type { Statement } from './database.ts'

type Options = {
  connection: { host: string; port: number; user: string; database: string }
  statements: Statement[]
  clients: number
  seconds: number
}

/** Transactions a second of pgbench, each of them these statements in turn, prepared, with the same parameters. */
export async function pgbench({ connection, statements, clients, seconds }: Options): Promise<number> {
  const program = await requireCommand('pgbench', 'apt-get install -y postgresql-contrib')
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-pgbench-'))
  const variables: string[] = []
  const script = statements.map(({ text, values }, index) => {
    for (const [at, value] of values.entries()) {
      if (value === null) throw new Error('pgbench has no null among its variables')
      variables.push('-D', `${variable(index, at + 1)}=${value}`)
    }
    return `${withoutColons(text).replaceAll(/\$(\d+)/g, (_, at: string) => `:${variable(index, Number(at))}`)};`
  })
  const file = join(folder, 'statements.sql')
  await writeFile(file, script.join('\n'))
  const { host, port, user, database } = connection
  const server = ['-h', host, '-p', String(port), '-U', user, database]
  const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds)]
  try {
    const printed = await run(program, [...load, ...variables, '-f', file, ...server])
    const failed = Number(/number of failed transactions: (\d+)/.exec(printed)?.[1] ?? 0)
    const rate = Number(/^tps = ([\d.]+)/m.exec(printed)?.[1])
    if (failed > 0 || !(rate > 0)) throw new Error(printed)
    return rate
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const variable = (statement: number, parameter: number): string => `s${statement}_p${parameter}`

/** pgbench takes `:MI` for a variable also inside quotes. */
const withoutColons = (text: string): string =>
  text.replaceAll(/'[^']*'/g, (literal) =>
    literal.includes(':') ? `E${literal.replaceAll(':', '\\x3A')}` : literal,
  )
