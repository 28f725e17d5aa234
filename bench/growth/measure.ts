import { setTimeout as pause } from 'node:timers/promises'
import { seconds } from '../commands.ts'
import { openDatabase, withSuperuser } from '../database.ts'
import { uploadCycles } from '../load-clients.ts'
import { median } from '../report.ts'
import { bootstrapKey, startService, type Service } from '../service.ts'
import type { Installation } from './installation.ts'
import { type Executed, inEveryRound, totalOf, withPlans } from './plans.ts'
import { type MeasuredRequest, requestsOf, type Where } from './requests.ts'
import { measureTables, type TableSize } from './table-sizes.ts'

type Pool = ReturnType<typeof openDatabase>['pool']

export type RequestResult = {
  name: string
  where: Where
  ms: number
  /** The time of the first request, before which parts of the database may not have been in memory. */
  firstMs: number
  statements: Executed[]
}

export type SizeResult = {
  size: Omit<Installation, 'folder'>
  databaseBytes: number
  tables: TableSize[]
  requests: RequestResult[]
  /** The seconds that each scheduled job took. */
  jobs: Record<string, number>
  jobStatements: Executed[]
  /** What the service does without requests, such as claiming webhook requests and jobs. */
  idleStatements: Executed[]
  upload: { count: number; statements: Executed[]; walBytes: number; rowsWritten: Record<string, number> }
  upkeep: { analyzeSeconds: number; vacuumSeconds: number }
}

const planRounds = 3
const slowMs = 1_000

export type MeasureOptions = { rounds: number; uploads: number; pattern: RegExp; idleSeconds: number }

/** Measures the requests, jobs and upkeep of an installation with the usual settings. */
export async function measureSize(
  installation: Installation,
  { rounds, uploads, pattern, idleSeconds }: MeasureOptions,
): Promise<SizeResult> {
  const { folder, ...size } = installation
  const service = await startService(
    {
      QUAYSIDE_LOG_LEVEL: 'error',
      QUAYSIDE_METRICS_TOKEN: bootstrapKey,
      QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    },
    folder,
  )
  const database = openDatabase(service)
  try {
    // Nothing listens at this port, so that the requests are claimed again and again.
    const webhooks = `/applications/${installation.steady}/webhooks`
    const body = { url: 'http://127.0.0.1:9/', event: 'build.created' }
    const { data: webhook } = await service.api<{ data: { id: string } }>('POST', webhooks, body)
    const all = await requestsOf(service, installation)
    const times = await measureTimes(
      service,
      all.filter(({ name }) => pattern.test(name)),
      rounds,
    )
    const planned = await measurePlans(service, database, { times, installation, idleSeconds })
    await service.api('DELETE', `${webhooks}/${webhook.id}`)
    const written = await measureUploads(service, database, installation, uploads)
    return {
      size,
      ...(await measureTables(database.pool)),
      requests: planned.requests,
      jobs: await jobSeconds(database.pool),
      jobStatements: planned.jobStatements.filter(({ buffers }) => buffers >= 500),
      idleStatements: planned.idleStatements.filter(({ buffers }) => buffers >= 20),
      upload: { ...written, statements: planned.uploadStatements },
      upkeep: await measureUpkeep(database),
    }
  } finally {
    await database.close()
    await service.stop()
  }
}

type Times = ReadonlyMap<MeasuredRequest, readonly number[]>

async function measureTimes(
  service: Service,
  requests: readonly MeasuredRequest[],
  rounds: number,
): Promise<Times> {
  const times = new Map<MeasuredRequest, readonly number[]>()
  for (const request of requests) {
    const measured = [await send(service, request)]
    for (let round = 0; round < (isSlow(measured) ? 1 : rounds); round++)
      measured.push(await send(service, request))
    times.set(request, measured)
  }
  return times
}

async function measurePlans(
  service: Service,
  database: ReturnType<typeof openDatabase>,
  { times, installation, idleSeconds }: { times: Times; installation: Installation; idleSeconds: number },
) {
  const requests: RequestResult[] = []
  let idleStatements: Executed[] = []
  let jobStatements: Executed[] = []
  let uploadStatements: Executed[] = []
  await withPlans(database, async (during) => {
    for (const [request, measured] of times) {
      const found: Executed[][] = []
      for (let round = 0; round < (isSlow(measured) ? 1 : planRounds); round++)
        found.push(await during(() => send(service, request)))
      const [firstMs = 0, ...others] = measured
      const { name, where } = request
      requests.push({ name, where, ms: median(others), firstMs, statements: inEveryRound(found) })
    }
    const found: Executed[][] = []
    for (let round = 0; round < planRounds; round++)
      found.push(await during(() => upload(service, installation.steady, 1)))
    uploadStatements = inEveryRound(found)
    idleStatements = byText(await during(() => pause(idleSeconds * 1_000)))
    jobStatements = byText(await during(() => runScheduledJobs(database.pool)))
  })
  return { requests, idleStatements, jobStatements, uploadStatements }
}

/** Requests that take seconds are repeated only once. */
const isSlow = ([firstMs = 0]: readonly number[]): boolean => firstMs > slowMs

const byText = (executed: readonly Executed[]): Executed[] =>
  [...Map.groupBy(executed, ({ text }) => text).values()].map(totalOf)

async function send(service: Service, { path, hasKey, status }: MeasuredRequest): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${service.origin}${path}`, {
    headers: hasKey ? { authorization: `Bearer ${service.key}` } : {},
    redirect: 'manual',
  })
  const text = await response.text()
  const ms = performance.now() - start
  // A list that takes longer than the limit of a statement is a result too.
  if (response.status !== status && response.status !== 503)
    throw new Error(`${path}: ${response.status} ${text}`)
  return ms
}

const upload = ({ origin, key }: Service, applicationId: string, maxCycles: number) =>
  uploadCycles({ origin, key, applicationId, platform: 'linux', clients: 1, seconds: 600, maxCycles })

/** Runs all scheduled jobs once, as the service does hourly or nightly. */
async function runScheduledJobs(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into pgboss.job (name) select distinct name from pgboss.schedule returning id`,
  )
  const ids = rows.map(({ id }) => id)
  const unfinished = `select from pgboss.job where id = any($1::uuid[]) and state not in ('completed', 'failed') limit 1`
  while ((await pool.query(unfinished, [ids])).rowCount !== 0) await pause(200)
}

async function jobSeconds(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; seconds: number; state: string }>(
    `select name, max(extract(epoch from completed_on - started_on))::float8 as seconds, max(state::text) as state
    from pgboss.job where completed_on is not null and name in (select name from pgboss.schedule) group by name`,
  )
  return Object.fromEntries(
    rows.map(({ name, seconds, state }) => [state === 'failed' ? `${name} (failed)` : name, seconds]),
  )
}

/** Uploads builds right after a checkpoint and counts what is written. */
async function measureUploads(
  service: Service,
  database: ReturnType<typeof openDatabase>,
  { steady }: Installation,
  count: number,
) {
  const { pool } = database
  await withSuperuser(database, (superuser) => superuser.query('checkpoint').then(() => {}))
  const before = await writtenRows(pool)
  const position = await walPosition(pool)
  await upload(service, steady, count)
  const walBytes = ((await walPosition(pool)) - position) / count
  // Statistics are sent by idle backends after a moment.
  await pause(1_500)
  const after = await writtenRows(pool)
  const rowsWritten = Object.fromEntries(
    [...after]
      .map(([table, rows]): [string, number] => [table, (rows - (before.get(table) ?? 0)) / count])
      .filter(([, rows]) => rows >= 0.5),
  )
  return { count, walBytes, rowsWritten }
}

async function walPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ position: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position`,
  )
  return rows[0]?.position ?? 0
}

async function writtenRows(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; written: number }>(
    'select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::float8 as written from pg_stat_user_tables',
  )
  return new Map(rows.map(({ name, written }) => [name, written]))
}

/** Measures what autovacuum does after one build in a thousand has changed. */
async function measureUpkeep(database: ReturnType<typeof openDatabase>): Promise<SizeResult['upkeep']> {
  const times = { analyzeSeconds: 0, vacuumSeconds: 0 }
  await withSuperuser(database, async (superuser) => {
    times.analyzeSeconds = await seconds(() => superuser.query('analyze builds'))
    await superuser.query(
      `update builds set notes = 'Changed' where ctid = any(array(
        select ctid from builds tablesample system (0.1)))`,
    )
    times.vacuumSeconds = await seconds(() => superuser.query('vacuum (index_cleanup on) builds'))
  })
  return times
}
