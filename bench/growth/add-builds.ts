import { connectDatabase } from '../../packages/server/src/database/connect.ts'
import { foldBuildChanges } from '../../packages/server/src/features/builds/totals/build-totals.db.ts'
import { mergeStorageUsage } from '../../packages/server/src/features/builds/totals/storage-usage.db.ts'
import { mergeSomeStatistics } from '../../packages/server/src/features/statistics/statistics.db.ts'
import { inBatches } from '../../packages/server/src/jobs/in-batches.ts'
import { type BuildRows, buildStatements, random } from '../build-rows.ts'
import { seconds } from '../commands.ts'
import { withSuperuser } from '../database.ts'
import type { Size } from './installation.ts'

type Server = Parameters<typeof withSuperuser>[0]
type Pool = ReturnType<typeof connectDatabase>['pool']

export type SeedTimes = {
  rowsSeconds: number
  countsSeconds: number
  /** How long each index takes to be created, in seconds of one core. */
  indexSeconds: Record<string, number>
  /** How long vacuum and analyze of a table take. */
  vacuumSeconds: Record<string, number>
}

const batchSize = 50_000
const mergedAtOnce = 300_000
const connections = 2
const steadyBuilds = 10_000
const secondsOfTwoYears = 2 * 365 * 86_400
const tables = ['builds', 'stored_objects', 'files', 'build_labels', 'build_readings', 'audit_entries']
/** Triggers of `builds` that also run while builds are inserted. The statements below do what the others would do. */
const keptTriggers = ['record_changed_on_insert', 'record_added_bytes', 'record_statistics_of_inserts']
const isCopy = `applications.id ~ '^ap[0-9]{8}$'`

/** Fills a database with applications and builds, of which the largest application has about a quarter. */
export async function addBuilds(
  server: Server,
  size: Size,
  { largest, steady }: { largest: string; steady: string },
): Promise<SeedTimes> {
  const times: SeedTimes = { rowsSeconds: 0, countsSeconds: 0, indexSeconds: {}, vacuumSeconds: {} }
  await withSuperuser({ ...server, maxConnections: connections + 1 }, async (pool) => {
    await copyApplications(pool, size, largest)
    const { rows } = await pool.query<{ id: string }>(
      `select id from applications where ${isCopy} order by id`,
    )
    const ids = [largest, steady, ...rows.map(({ id }) => id)]
    const dropped = await dropIndexes(pool)
    await setTriggers(pool, 'disable')
    for (const trigger of keptTriggers) await pool.query(`alter table builds enable trigger ${trigger}`)
    times.rowsSeconds = await seconds(() => insertRows(pool, size, ids))
    await setTriggers(pool, 'enable')
    const indexes = inTurns(dropped, async ({ name, definition }) => {
      times.indexSeconds[name] = await seconds(() => pool.query(definition))
    })
    times.countsSeconds = await seconds(() => mergeTotals(server))
    await indexes
    await prepareRetention(pool, ids)
    const { rows: all } = await pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      order by pg_relation_size(oid) desc`,
    )
    await inTurns(all, async ({ name }) => {
      times.vacuumSeconds[name] = await seconds(() => pool.query(`vacuum (analyze) ${name}`))
    })
  })
  return times
}

/** Copies the largest application, without its builds, into all workspaces. */
async function copyApplications(pool: Pool, { applications, workspaces }: Size, template: string) {
  const statements = [
    `insert into workspaces (id, name)
    select 'ws' || lpad(n::text, 8, '0'), 'Workspace ' || n from generate_series(1, ${workspaces - 1}) as n`,
    `insert into applications (id, workspace_id, name)
    select 'ap' || lpad(n::text, 8, '0'), case n % ${workspaces} when 0 then workspace_id
      else 'ws' || lpad((n % ${workspaces})::text, 8, '0') end, 'Application ' || n
    from applications, generate_series(1, ${applications - 2}) as n where id = $1`,
    `insert into application_platforms (application_id, platform)
    select applications.id, platform from application_platforms as copied, applications
    where copied.application_id = $1 and ${isCopy}`,
    `insert into streams (id, application_id, name, description, retention_days)
    select left(md5(copied.id || applications.id), 10), applications.id, copied.name, copied.description, retention_days
    from streams as copied, applications where copied.application_id = $1 and ${isCopy}`,
    `insert into labels (id, workspace_id, application_id, name, color)
    select left(md5(copied.id || applications.id), 10), applications.workspace_id, applications.id, copied.name, color
    from labels as copied, applications where copied.application_id = $1 and ${isCopy}`,
    `insert into custom_targets (id, workspace_id, application_id, platform, name)
    select gen_random_uuid(), applications.workspace_id, applications.id, platform, copied.name
    from custom_targets as copied, applications where copied.application_id = $1 and ${isCopy}`,
  ]
  for (const statement of statements) await pool.query(statement, statement.includes('$1') ? [template] : [])
  await pool.query('analyze applications, streams, labels, custom_targets')
}

/** Drops the indexes that no constraint needs, because creating them afterwards is faster. */
async function dropIndexes(pool: Pool) {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid::regclass::text = any($1) and not exists (select from pg_constraint where conindid = indexrelid)
    order by pg_get_indexdef(indexrelid) like '% gin %' desc`,
    [[...tables, 'changes']],
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  return rows
}

async function setTriggers(pool: Pool, change: 'enable' | 'disable') {
  for (const table of tables) await pool.query(`alter table ${table} ${change} trigger all`)
}

/** Runs `work` for each item on as many connections as there are cores for it. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const run = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: connections }, run))
}

/**
 * Returns the share of the builds that each application has: the second one has 10,000 builds in a service of any size; of the
 * others, a few have most builds.
 */
function sharesOf({ builds, applications }: Size): number[] {
  const steady = Math.min(steadyBuilds / builds, 0.1)
  const weights = Array.from({ length: applications - 1 }, (_, index) => (index + 1) ** -1.2)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const [largest = 0, ...rest] = weights.map((weight) => (weight / sum) * (1 - steady))
  return [largest, steady, ...rest]
}

function rowsOf(size: Size): BuildRows {
  const shares = sharesOf(size)
  const ends = shares.map((_, index) => shares.slice(0, index + 1).reduce((sum, share) => sum + share, 0))
  const numbers = `select n::bigint as n, ($1::text[])[chosen] as application_id,
      floor(n * ('{${shares.join()}}'::float8[])[chosen])::bigint as place
    from generate_series($2::bigint, $3::bigint) as n cross join lateral (
      select least(1 + width_bucket(${random(200)}::float8, '{${ends.join()}}'::float8[]), ${shares.length}) as chosen) as choice`
  return {
    numbers,
    id: `'b0' || lpad(to_hex((n * 2654435761) % 4294967296), 8, '0')`,
    count: size.builds,
    secondsBetween: secondsOfTwoYears / size.builds,
    sha: `md5(application_id || place) || left(md5(place::text), 8)`,
    hasChecksums: true,
  }
}

/** Statements for what triggers and requests write with each build. */
const accompanying = ({ numbers, id }: BuildRows): string[] => [
  `with numbers as (${numbers})
  insert into build_readings (build_id, kind, version)
  select ${id}, kind, 1000000 from numbers cross join (values ('inspection'), ('checksums'), ('chunks')) as kinds (kind)`,
  `with numbers as (${numbers})
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, created_at)
  select builds.application_id, 1, builds.id, stream_id, platform, custom_target_id, build_source, scm_branch,
    array(select label_id from build_labels where build_id = builds.id order by label_id), created_at
  from numbers join builds on builds.id = ${id} where deleted_at is null`,
  `with numbers as (${numbers})
  insert into audit_entries (id, workspace_id, application_id, action, subject_type, subject_id, actor_kind, actor_id,
    actor_name, address, after, created_at)
  select gen_random_uuid(), workspace_id, builds.application_id, 'build.created', 'build', builds.id, 'api-key', 'ci',
    'Continuous integration', '192.0.2.1', jsonb_build_object('version', version_sort, 'build_number', build_number,
      'platform', platform, 'stream', stream_id, 'size_total_bytes', size_total_bytes), created_at
  from numbers join builds on builds.id = ${id}`,
]

async function insertRows(pool: Pool, size: Size, ids: string[]): Promise<void> {
  const rows = rowsOf(size)
  const statements = [...buildStatements(rows), ...accompanying(rows)]
  const batches = Array.from({ length: Math.ceil(size.builds / batchSize) }, (_, index) => index * batchSize)
  await inTurns(batches, async (first) => {
    const last = Math.min(first + batchSize, size.builds) - 1
    for (const statement of statements) await pool.query(statement, [ids, first, last])
  })
}

/** Does what the jobs of the service would do with the new rows in its first minutes. */
async function mergeTotals({ connection }: Server): Promise<void> {
  const options = { maxConnections: 2, statementTimeoutSeconds: 0, log: { warn: console.warn } }
  const { db, close } = connectDatabase({ connection, ...options })
  try {
    await inBatches(mergedAtOnce, (limit) => foldBuildChanges(db, limit))
    await inBatches(mergedAtOnce, (limit) => mergeSomeStatistics(db, limit))
    await mergeStorageUsage(db, 1)
  } finally {
    await close()
  }
}

/** Leaves a day of builds to retention, and 200 builds to the purge of the trash. */
async function prepareRetention(pool: Pool, [, , application]: string[]): Promise<void> {
  await pool.query('update streams set retention_days = 740 where retention_days is not null')
  await pool.query(
    `update streams set retention_days = 729 where application_id = $1 and name = 'nightlies'`,
    [application],
  )
  await pool.query(
    `update builds set deleted_at = now() - interval '8 days' where id in (
      select id from builds where application_id = $1 and deleted_at is not null order by id limit 200)`,
    [application],
  )
}
