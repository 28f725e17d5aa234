import { readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../packages/server/src/database/connect.ts'
import type { Service } from './service.ts'

type Pool = ReturnType<typeof connectDatabase>['pool']

/**
 * A statement that the service sent, with the values of $1, $2, …, the PID of the connection's backend, and how long it took to
 * parse, plan and execute.
 */
export type Statement = { text: string; values: (string | null)[]; pid: number; ms: number }

/** Connects to the embedded database of a running service over the socket that the service uses. */
export function openDatabase(service: Service) {
  const host = join(service.folder, 'data/postgres')
  const connection = { host, port: 5432, user: 'quayside', database: 'quayside' }
  const log = { warn: () => {} }
  const database = connectDatabase({ connection, maxConnections: 16, statementTimeoutSeconds: 0, log })
  return { ...database, connection, folder: host, logFile: join(service.folder, 'data/postgres.log') }
}

/** Returns every statement that the service executes while `work` runs, read from the database log. */
export async function statementsDuring(
  { pool, folder, logFile }: { pool: Pool; folder: string; logFile: string },
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const backends = await backendsOfService(pool)
  const before = (await readFile(logFile, 'utf8')).length
  await withSettings(folder, 'log_min_duration_statement = 0', work)
  const written = (await readFile(logFile, 'utf8')).slice(before)
  return parseLog(written).filter(({ pid }) => backends.has(pid))
}

/** Changes postgresql.conf while `work` runs, because the service's role is not permitted to change settings. */
export const withSettings = (folder: string, settings: string, work: () => Promise<unknown>): Promise<void> =>
  withLines(folder, { 'postgresql.conf': settings }, work)

/** Runs `work` with a superuser connection, which the database otherwise permits only while the service starts. */
export async function withSuperuser(
  {
    connection,
    folder,
    maxConnections = 1,
  }: Pick<ReturnType<typeof openDatabase>, 'connection' | 'folder'> & { maxConnections?: number },
  work: (pool: Pool) => Promise<void>,
): Promise<void> {
  const user = 'local all postgres peer map=quayside'
  const account = `quayside "${userInfo().username}" postgres`
  await withLines(folder, { 'pg_hba.conf': user, 'pg_ident.conf': account }, async () => {
    const { pool, close } = connectDatabase({
      connection: { ...connection, user: 'postgres' },
      maxConnections,
      statementTimeoutSeconds: 0,
      log: { warn: () => {} },
    })
    await work(pool).finally(() => close())
  })
}

/** Adds lines to the database's configuration files while `work` runs. */
async function withLines(
  folder: string,
  lines: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<void> {
  const original = new Map<string, string>()
  for (const [name, added] of Object.entries(lines)) {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8')
    original.set(file, text)
    await writeFile(file, `${text}\n${added}\n`)
  }
  await reload(folder)
  try {
    await work()
  } finally {
    for (const [file, text] of original) await writeFile(file, text)
    await reload(folder)
  }
}

async function reload(folder: string): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGHUP')
  // Each backend applies new settings before its next statement, but only after it has received the reload signal.
  await pause(200)
}

/** Returns the process IDs of the service's current connections. */
export async function backendsOfService(pool: Pool): Promise<Set<number>> {
  const own = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'quayside'`,
  )
  const ownPids = new Set(own.rows.map(({ pid }) => pid))
  return new Set(rows.map(({ pid }) => pid).filter((pid) => !ownPids.has(pid)))
}

/** Splits the database log into its entries, which can have several lines. */
export const entriesOf = (log: string): string[] => log.split(/\n(?=\d{4}-\d\d-\d\d )/)

/**
 * Waits until the service has inspected all builds, which it does after their upload and would otherwise do during what is
 * measured next.
 */
export async function untilInspected(pool: Pool): Promise<void> {
  const uninspected = `select from builds where processing in ('waiting', 'queued') limit 1`
  while ((await pool.query(uninspected)).rowCount !== 0) await pause(100)
}

/** Parses log entries `[pid] LOG:  duration: … execute name: text`, each followed by `DETAIL:  Parameters: …`. */
function parseLog(log: string): Statement[] {
  const found: Statement[] = []
  // Parsing and planning precede the execution and have entries of their own.
  const preparedMs = new Map<number, number>()
  for (const entry of entriesOf(log)) {
    const [, pid, kind, body = ''] = /^\S+ \S+ \S+ \[(\d+)\] (\w+): {2}([^]*?)\n?$/.exec(entry) ?? []
    const text = body.replaceAll('\n\t', '\n')
    const [, ms = '', step, statement = ''] =
      /^duration: (\S+) ms {2}(parse|bind|execute|statement)[^:]*: ([^]*)$/.exec(text) ?? []
    if (kind === 'LOG' && step !== undefined) {
      const totalMs = (preparedMs.get(Number(pid)) ?? 0) + Number(ms)
      const isPrepared = step === 'parse' || step === 'bind'
      preparedMs.set(Number(pid), isPrepared ? totalMs : 0)
      if (!isPrepared) found.push({ text: statement, values: [], pid: Number(pid), ms: totalMs })
    }
    const parameters = /^parameters: ([^]*)$/i.exec(text)?.[1]
    if (kind === 'DETAIL' && parameters !== undefined) {
      const statement = found.findLast((entry) => entry.pid === Number(pid))
      if (statement !== undefined && statement.values.length === 0)
        statement.values = readParameters(parameters)
    }
  }
  return found
}

/** Parses a parameter list such as `$1 = 'it''s', $2 = NULL`. */
const readParameters = (text: string): (string | null)[] =>
  [...text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, quoted]) =>
    quoted === undefined ? null : quoted.replaceAll("''", "'"),
  )
