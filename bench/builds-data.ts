import { setTimeout as pause } from 'node:timers/promises'
import { withSuperuser, type openDatabase } from './database.ts'
import type { Service } from './service.ts'

type Database = ReturnType<typeof openDatabase>

const batchSize = 50_000
const tables = ['builds', 'stored_objects', 'files', 'build_labels']
const platforms = ['android', 'ios', 'windows', 'linux', 'macos']
/** The percentage of builds that have each label. */
const labels = {
  signed: 40,
  'qa-passed': 25,
  store: 12,
  debug: 8,
  demo: 4,
  candidate: 2,
  hotfix: 1,
  blocked: 0.2,
}

/**
 * Returns SQL that picks an item by a random number between 0 and 1. Items that are listed repeatedly are picked more
 * often.
 */
const pick = (list: string[], random: string) =>
  `(array[${list.map((text) => `'${text}'`).join()}])[1 + floor(${random} * ${list.length})::int]`

const labelValues = Object.entries(labels)
  .map(([name, percent], index) => `('${name}', ${percent}, ${index})`)
  .join()

const random = (salt: number) => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0)`

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
  const { data: application } = await service.api<{ data: { id: string } }>('POST', '/applications', {
    name: `filling ${name}`,
    platforms,
  })
  const path = `/applications/${application.id}`
  for (const label of Object.keys(labels)) await service.api('POST', `${path}/labels`, { name: label })
  for (const target of ['Kiosk', 'Tablet'])
    await service.api('POST', `${path}/custom-targets`, { name: target, platform: 'android' })

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
      for (const statement of statements)
        await pool.query(statement.replaceAll('$count', String(count)), [application.id, first, last])
      await pool.query('commit')
    }
    for (const table of tables) await pool.query(`alter table ${table} enable trigger all`)
    // Most builds are old, so retention would move them to the trash, and benchmarks keep the folder.
    await pool.query('update streams set retention_days = null where application_id = $1', [application.id])
    await waitForCounts(pool)
    await pool.query('vacuum (analyze)')
  })
  await service.api('PATCH', path, { name })
  return application.id
}

/** Waits until the job `builds.count`, which runs every minute, has counted almost all new builds. */
async function waitForCounts(pool: Database['pool']): Promise<void> {
  const pending = 'select count(*)::int as changes from build_changes'
  while (((await pool.query<{ changes: number }>(pending)).rows[0]?.changes ?? 0) >= 500) await pause(1_000)
}

const buildId = `'b' || $count % 7 || lpad(to_hex((n * 2654435761) % 4294967296), 8, '0')`

const statements = [
  `with numbered as (
    select n::bigint as n, ${buildId} as id, n / 40000 as major, n / 1000 % 40 as minor, n % 1000 as patch,
      ${pick(['nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'default', 'default', 'stable'], random(1))} as stream,
      ${pick(['android', 'android', 'android', 'ios', 'ios', 'windows', 'linux', 'macos'], random(2))} as platform,
      case when ${random(3)} < 0.2 then ${pick(['Kiosk', 'Kiosk', 'Kiosk', 'Tablet'], random(4))} end as target,
      ${pick(['ghactions', 'ghactions', 'ghactions', 'gitlab-ci', 'jenkins', 'cli-upload', 'web-upload'], random(5))} as source,
      case when ${random(6)} < 0.7 then ${pick(['main', 'main', 'develop'], random(7))}
        when ${random(6)} < 0.8 then 'release/' || n / 40000 || '.' || n / 1000 % 40
        -- Consecutive builds share a branch, because branches are short-lived.
        else 'feature/' || n / 400 || '-' || floor(${random(8)} * 5) end as branch,
      floor(1e6 + ${random(9)} * 4e8)::bigint as bytes, lpad(to_hex(n), 40, '5') as sha,
      make_interval(secs => ($count - n) * 250 + ${random(10)} * 200) as age, ${random(11)} < 0.033 as is_trash
    from generate_series($2::bigint, $3::bigint) as n
  ), computed as (
    select *, case stream when 'stable' then null when 'nightlies' then 'nightly.' else 'beta.' end || n % 97 as extra,
      lpad(major::text, 4, '0') || lpad(minor::text, 4, '0') || lpad(patch::text, 4, '0') as core from numbered
  )
  insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
    version_extra, version_sort, build_number, platform, stream_id, custom_target_id,
    architectures, notes, size_total_bytes, build_source, ci_pipeline_name, ci_run_id, ci_run_url, scm_host_type,
    scm_host, scm_repo_name, scm_repo_url, scm_branch, scm_commit_sha, scm_commit_url, built_at, created_at, deleted_at)
  select computed.id, applications.workspace_id, applications.id, 'file', major, minor, patch, extra,
    core || case when extra is null then '~' else '-1' || split_part(extra, '.', 1) || '!0'
      || lpad(length(split_part(extra, '.', 2))::text, 2, '0') || split_part(extra, '.', 2) || '!' end,
    sha, computed.platform, streams.id, custom_targets.id,
    '{arm64v8}', 'Nightly build of ' || branch, bytes, source, 'release', sha, 'https://ci.example.com/runs/' || sha,
    'git', 'github', 'quay/app', 'https://github.com/quay/app', branch, sha,
    'https://github.com/quay/app/commit/' || sha, now() - age - interval '1 minute', now() - age,
    case when is_trash then now() end
  from computed join applications on applications.id = $1
    join streams on streams.application_id = $1 and streams.name = computed.stream
    left join custom_targets on custom_targets.application_id = $1 and custom_targets.name = computed.target
      and custom_targets.platform = computed.platform`,
  `with computed as (select ${buildId} as id, floor(1e6 + ${random(9)} * 4e8)::bigint as bytes, $1::text as application
    from generate_series($2::bigint, $3::bigint) as n
  ), object as (
    insert into stored_objects (key, size_bytes, segments)
    select id, bytes, jsonb_build_array(jsonb_build_object('name', id, 'sizeBytes', bytes)) from computed
  )
  insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
  select gen_random_uuid(), id, 'primary', 'app-' || id || '.zip', bytes, 'zip', id from computed`,
  `insert into build_labels (build_id, label_id, application_id, workspace_id)
  select ${buildId}, labels.id, $1, labels.workspace_id
  from generate_series($2::bigint, $3::bigint) as n
    join (values ${labelValues})
      as shares (name, percent, salt) on ((hashint8extended(n, 100 + salt) & 1048575) / 10485.76) < percent
    join labels on labels.application_id = $1 and labels.name = shares.name`,
  // The files do not exist, so the service must not read them in the background.
  `update build_readings set version = 1000000 from builds
  where builds.id = build_readings.build_id and builds.application_id = $1
    and builds.id in (select ${buildId} from generate_series($2::bigint, $3::bigint) as n)`,
]
