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

/** Returns how many times per second pgbench runs these prepared statements, always with the same parameters. */
export async function pgbench({ connection, statements, clients, seconds }: Options): Promise<number> {
  const program = await requireCommand('pgbench', 'apt-get install -y postgresql-contrib')
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-pgbench-'))
  const variables: string[] = []
  const script = statements.map(({ text, values }, index) => {
    for (const [parameter, value] of values.entries()) {
      if (value === null) throw new Error('pgbench variables cannot be null')
      variables.push('-D', `${variable(index, parameter + 1)}=${value}`)
    }
    return `${escapeColons(text).replaceAll(/\$(\d+)/g, (_, parameter: string) => `:${variable(index, Number(parameter))}`)};`
  })
  const file = join(folder, 'statements.sql')
  await writeFile(file, script.join('\n'))
  const { host, port, user, database } = connection
  const server = ['-h', host, '-p', String(port), '-U', user, database]
  const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds)]
  try {
    const output = await run(program, [...load, ...variables, '-f', file, ...server])
    const failed = Number(/number of failed transactions: (\d+)/.exec(output)?.[1] ?? 0)
    const rate = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
    if (failed > 0 || !(rate > 0)) throw new Error(output)
    return rate
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const variable = (statement: number, parameter: number): string => `s${statement}_p${parameter}`

/** Escapes colons in literals, because pgbench treats text such as `:MI` as a variable even inside quotes. */
const escapeColons = (text: string): string =>
  text.replaceAll(/'[^']*'/g, (literal) =>
    literal.includes(':') ? `E${literal.replaceAll(':', '\\x3A')}` : literal,
  )
