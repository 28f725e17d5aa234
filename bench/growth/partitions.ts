import { seconds } from '../commands.ts'
import { type openDatabase, withSuperuser } from '../database.ts'
import { median } from '../report.ts'
import type { Installation } from './installation.ts'
import { startDatabaseOf } from './installation.ts'

type Pool = ReturnType<typeof openDatabase>['pool']

export type PartitionResult = {
  layout: string
  builds: number
  bytes: number
  /** Median milliseconds to plan and to execute each query. */
  queries: Record<string, { planMs: number; ms: number; buffers: number }>
  /** Builds per second that are inserted one per transaction, without waiting for the disk. */
  insertsPerSecond: number
  vacuumSeconds: number
}

/** How the rows of a copy of `builds` are stored. */
const layouts: Record<string, string> = {
  'one table': '',
  '16 partitions by application': 'partition by hash (application_id)',
  'partitions by quarter': 'partition by range (created_at)',
}
const hashPartitions = 16
const quarters = 9
const rounds = 15
const sampledRows = 2_000

/** The indexes of `builds` that the queries below use. */
const indexes = [
  '(id)',
  `(application_id, created_at, id) include (stream_id, platform, custom_target_id, build_source, scm_branch, architectures,
    processing) where deleted_at is null`,
  `(application_id, version_sort, id) include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at)
    where deleted_at is null`,
  '(application_id, scm_branch, created_at, id) where deleted_at is null and scm_branch is not null',
  '(stream_id, created_at, id) include (keep_forever, size_total_bytes, deleted_at)',
  '(stream_id, platform, architectures, created_at, id) where deleted_at is null',
  '(deleted_at) where deleted_at is not null',
  `(created_at, id) where processing in ('waiting', 'queued')`,
]

/** Compares copies of `builds` with and without partitions. Stop the service first. */
export async function comparePartitions({ folder, ...installation }: Installation, limit: number) {
  const database = await startDatabaseOf(folder, { max_wal_size: '4GB', autovacuum: 'off' })
  const results: PartitionResult[] = []
  try {
    const server = { connection: database.connection, folder: database.dataLocation }
    await withSuperuser(server, async (pool) => {
      await pool.query('set synchronous_commit = off')
      await pool.query(`set maintenance_work_mem = '512MB'`)
      for (const [layout, clause] of Object.entries(layouts))
        results.push(await measureLayout(pool, installation, { layout, clause, limit }))
    })
  } finally {
    await database.stop()
  }
  return results
}

async function measureLayout(
  pool: Pool,
  { largest, steady }: Omit<Installation, 'folder'>,
  { layout, clause, limit }: { layout: string; clause: string; limit: number },
): Promise<PartitionResult> {
  await pool.query('create schema if not exists growth')
  await pool.query(`create table growth.copy (like builds including defaults including generated) ${clause}`)
  for (const statement of partitionsFor(clause)) await pool.query(statement)
  const { rows: columns } = await pool.query<{ list: string }>(
    `select string_agg(attname, ', ' order by attnum) as list from pg_attribute
    where attrelid = 'builds'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const list = columns[0]?.list ?? ''
  await pool.query(
    `insert into growth.copy (${list}) select ${list} from builds order by created_at desc limit ${limit}`,
  )
  for (const index of indexes) await pool.query(`create index on growth.copy ${index}`)
  await pool.query('vacuum (analyze) growth.copy')
  const { rows } = await pool.query<{ builds: number; bytes: number; id: string; stream: string }>(
    `select (select count(*)::int from growth.copy) as builds,
      (select sum(pg_total_relation_size(oid))::float8 from pg_class
        where relkind = 'r' and relnamespace = 'growth'::regnamespace) as bytes,
      (select id from growth.copy where application_id = $1 order by created_at desc limit 1) as id,
      (select id from streams where application_id = $1 and name = 'nightlies') as stream`,
    [steady],
  )
  const [copied] = rows
  if (copied === undefined) throw new Error('a statement that always returns a row returned none')
  const { builds, bytes, id, stream } = copied
  const queries: PartitionResult['queries'] = {}
  for (const [name, text] of Object.entries(queriesFor({ largest, steady, id, stream })))
    queries[name] = await explain(pool, text)
  const insertsPerSecond = await measureInserts(pool, list)
  const vacuumSeconds = await seconds(() => pool.query('vacuum (index_cleanup on) growth.copy'))
  await pool.query('drop table growth.copy')
  return { layout, builds, bytes, queries, insertsPerSecond, vacuumSeconds }
}

function partitionsFor(clause: string): string[] {
  if (clause.includes('hash'))
    return Array.from(
      { length: hashPartitions },
      (_, number) =>
        `create table growth.copy_${number} partition of growth.copy
        for values with (modulus ${hashPartitions}, remainder ${number})`,
    )
  if (!clause.includes('range')) return []
  const now = new Date()
  const at = (quartersAgo: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3 - quartersAgo * 3)).toISOString()
  return Array.from({ length: quarters + 1 }, (_, number) => {
    const values =
      number === quarters ? 'default' : `for values from ('${at(number + 1)}') to ('${at(number)}')`
    return `create table growth.copy_${number} partition of growth.copy ${values}`
  })
}

const queriesFor = (ids: { largest: string; steady: string; id: string; stream: string }) => ({
  'first page': `select id from growth.copy where application_id = '${ids.largest}' and deleted_at is null
    order by created_at desc, id desc limit 15`,
  'first page by version': `select id from growth.copy where application_id = '${ids.steady}' and deleted_at is null
    order by version_sort desc, id desc limit 15`,
  'page of a branch': `select id from growth.copy where application_id = '${ids.steady}' and scm_branch = 'main'
    and deleted_at is null order by created_at desc, id desc limit 15`,
  'build by ID': `select * from growth.copy where id = '${ids.id}'`,
  'build of an application by ID': `select * from growth.copy where id = '${ids.id}' and application_id = '${ids.steady}'`,
  'latest build of a stream': `select id from growth.copy where stream_id = '${ids.stream}' and platform = 'android'
    and architectures = '{arm64v8}' and deleted_at is null order by created_at desc, id desc limit 1`,
  'expired builds of a stream': `select id from growth.copy where stream_id = '${ids.stream}' and deleted_at is null
    and created_at <= now() - interval '5 years' order by created_at, id limit 100`,
  'trash to purge': `select id from growth.copy where deleted_at <= now() - interval '7 days' order by deleted_at, id limit 100`,
})

type Explained = {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
  'Planning Time': number
  'Execution Time': number
}

async function explain(pool: Pool, text: string) {
  const found: Explained[] = []
  for (let round = 0; round < rounds; round++) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [Explained] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    if (plan !== undefined) found.push(plan)
  }
  const { Plan: last } = found.at(-1) ?? { Plan: { 'Shared Hit Blocks': 0, 'Shared Read Blocks': 0 } }
  return {
    planMs: median(found.map((plan) => plan['Planning Time'])),
    ms: median(found.map((plan) => plan['Execution Time'])),
    buffers: last['Shared Hit Blocks'] + last['Shared Read Blocks'],
  }
}

/** Inserts copies of existing builds with other IDs, as new builds, one per transaction. */
async function measureInserts(pool: Pool, columns: string): Promise<number> {
  await pool.query(
    `create temporary table sampled as select * from growth.copy order by hashtext(id) limit ${sampledRows}`,
  )
  await pool.query('create index on sampled (id)')
  const { rows } = await pool.query<{ id: string }>('select id from sampled')
  const selected = columns.replace(/\bid\b/, `'n' || id`).replace(/\bcreated_at\b/, 'now()')
  const text = `insert into growth.copy (${columns}) select ${selected} from sampled where id = $1`
  const spent = await seconds(async () => {
    for (const { id } of rows) await pool.query(text, [id])
  })
  await pool.query('drop table sampled')
  return rows.length / spent
}
