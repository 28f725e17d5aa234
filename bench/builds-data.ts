import { setTimeout as pause } from 'node:timers/promises'
import { buildStatements, customTargets, labels } from './build-rows.ts'
import { withSuperuser, type openDatabase } from './database.ts'
import type { Service } from './service.ts'

type Database = ReturnType<typeof openDatabase>

const batchSize = 50_000
const tables = ['builds', 'stored_objects', 'files', 'build_labels']
const platforms = ['android', 'ios', 'windows', 'linux', 'macos']

/**
 * Returns the ID of an application with `count` builds that resemble real data. Creates it if necessary. Seven in ten
 * builds are nightly builds and one in thirty is in the trash. Most builds are on main branches, the rest on
 * short-lived branches.
 */
export async function fillBuilds(service: Service, database: Database, count: number): Promise<string> {
  const name = `${count} builds`
  const { data: found } = await service.api<{ data: { id: string; name: string }[] }>(
    'GET',
    `/applications?search=${encodeURIComponent(name)}`,
  )
  const filled = found.find((application) => application.name === name)
  if (filled !== undefined) return filled.id
  const applicationId = await createSeededApplication(service, `filling ${name}`)
  const statements = statementsFor(count)

  // Only the superuser can disable foreign key triggers, whose checks would take most of the time. The triggers that
  // maintain the totals must still run.
  await withSuperuser(database, async (pool) => {
    for (const table of tables)
      await pool.query(`alter table ${table} disable trigger all; alter table ${table} enable trigger user`)
    for (let first = 0; first < count; first += batchSize) {
      const last = Math.min(first + batchSize, count) - 1
      // In one transaction (the pool has one connection), so that no background job finds these builds before their
      // files are recorded as read.
      await pool.query('begin')
      for (const statement of statements) await pool.query(statement, [applicationId, first, last])
      await pool.query('commit')
    }
    for (const table of tables) await pool.query(`alter table ${table} enable trigger all`)
    // Most builds are old, so retention would move them to the trash, and benchmarks keep the folder.
    await pool.query('update streams set retention_days = null where application_id = $1', [applicationId])
    await waitForCounts(pool)
    await pool.query('vacuum (analyze)')
  })
  await service.api('PATCH', `/applications/${applicationId}`, { name })
  return applicationId
}

/** Creates an application with the streams, labels and custom targets that its builds refer to. Returns its ID. */
export async function createSeededApplication({ api }: Pick<Service, 'api'>, name: string): Promise<string> {
  const { data } = await api<{ data: { id: string } }>('POST', '/applications', { name, platforms })
  const path = `/applications/${data.id}`
  for (const label of Object.keys(labels)) await api('POST', `${path}/labels`, { name: label })
  for (const target of customTargets)
    await api('POST', `${path}/custom-targets`, { name: target, platform: 'android' })
  return data.id
}

/** Waits until the job `builds.count`, which runs every minute, has counted almost all new builds. */
async function waitForCounts(pool: Database['pool']): Promise<void> {
  const pending = 'select count(*)::int as changes from build_changes'
  while (((await pool.query<{ changes: number }>(pending)).rows[0]?.changes ?? 0) >= 500) await pause(1_000)
}

const numbers = `select n::bigint as n, n::bigint as place, $1::text as application_id
  from generate_series($2::bigint, $3::bigint) as n`

function statementsFor(count: number): string[] {
  const id = `'b${count % 7}' || lpad(to_hex((n * 2654435761) % 4294967296), 8, '0')`
  return [
    ...buildStatements({ numbers, id, count, secondsBetween: 250, sha: `lpad(to_hex(place), 40, '5')` }),
    // The files do not exist, so the service must not read them in the background.
    `with numbers as (${numbers})
    update build_readings set version = 1000000 from builds
    where builds.id = build_readings.build_id and builds.application_id = $1
      and builds.id in (select ${id} from numbers)`,
  ]
}
