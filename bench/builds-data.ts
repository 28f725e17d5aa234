import type { openDatabase } from './database.ts'
import type { Service } from './service.ts'

type Pool = ReturnType<typeof openDatabase>['pool']

const rowsAtOnce = 50_000
const platforms = ['android', 'ios', 'windows', 'linux', 'macos']
/** Of a hundred builds so many carry it; the last one is on one in five hundred. */
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

/** What a build has at random, from a number between 0 and 1: a list in which the common ones stand more than once. */
const oneOf = (list: string[], random: string) =>
  `(array[${list.map((text) => `'${text}'`).join()}])[1 + floor(${random} * ${list.length})::int]`

const labelValues = Object.entries(labels)
  .map(([name, percent], index) => `('${name}', ${percent}, ${index})`)
  .join()

const random = (salt: number) => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0)`

/**
 * An application of `count` builds as teams have them: seven of ten nightly, few platforms, sources and main branches,
 * a long tail of feature branches, some labels each, a few targets, every thirtieth in the trash.
 */
export async function fillBuilds(service: Service, pool: Pool, count: number): Promise<string> {
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
  const at = `/applications/${application.id}`
  for (const label of Object.keys(labels)) await service.api('POST', `${at}/labels`, { name: label })
  for (const target of ['Kiosk', 'Tablet'])
    await service.api('POST', `${at}/custom-targets`, { name: target, platform: 'android' })

  const client = await pool.connect()
  try {
    // what the rows refer to is made in the same statement: looking up each of it takes most of the time
    await client.query('set session_replication_role = replica')
    for (let first = 0; first < count; first += rowsAtOnce) {
      const last = Math.min(first + rowsAtOnce, count) - 1
      for (const statement of statements)
        await client.query(statement.replaceAll('$count', String(count)), [application.id, first, last])
    }
    await client.query('reset session_replication_role')
    await client.query('vacuum (analyze)')
  } finally {
    client.release()
  }
  await service.api('PATCH', at, { name })
  return application.id
}

const buildId = `'b' || $count % 7 || lpad(to_hex((n * 2654435761) % 4294967296), 8, '0')`

const statements = [
  `with numbered as (
    select n::bigint as n, ${buildId} as id, n / 40000 as major, n / 1000 % 40 as minor, n % 1000 as patch,
      ${oneOf(['nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'default', 'default', 'stable'], random(1))} as stream,
      ${oneOf(['android', 'android', 'android', 'ios', 'ios', 'windows', 'linux', 'macos'], random(2))} as platform,
      case when ${random(3)} < 0.2 then ${oneOf(['Kiosk', 'Kiosk', 'Kiosk', 'Tablet'], random(4))} end as target,
      ${oneOf(['ghactions', 'ghactions', 'ghactions', 'gitlab-ci', 'jenkins', 'cli-upload', 'web-upload'], random(5))} as source,
      case when ${random(6)} < 0.7 then ${oneOf(['main', 'main', 'develop'], random(7))}
        when ${random(6)} < 0.8 then 'release/' || n / 40000 || '.' || n / 1000 % 40
        -- a branch lives for a while: its builds lie together
        else 'feature/' || n / 400 || '-' || floor(${random(8)} * 5) end as branch,
      floor(1e6 + ${random(9)} * 4e8)::bigint as bytes, lpad(to_hex(n), 40, '5') as sha,
      make_interval(secs => ($count - n) * 250 + ${random(10)} * 200) as age, ${random(11)} < 0.033 as is_trash
    from generate_series($2::bigint, $3::bigint) as n
  ), drawn as (
    select *, case stream when 'stable' then null when 'nightlies' then 'nightly.' else 'beta.' end || n % 97 as extra,
      lpad(major::text, 4, '0') || lpad(minor::text, 4, '0') || lpad(patch::text, 4, '0') as core from numbered
  )
  insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
    version_extra, version_sort, build_number, platform, stream_id, custom_target_id,
    architectures, notes, size_total_bytes, build_source, ci_pipeline_name, ci_run_id, ci_run_url, scm_host_type,
    scm_host, scm_repo_name, scm_repo_url, scm_branch, scm_commit_sha, scm_commit_url, built_at, created_at, deleted_at)
  select drawn.id, applications.workspace_id, applications.id, 'file', major, minor, patch, extra,
    core || case when extra is null then '~' else '-1' || split_part(extra, '.', 1) || '!0'
      || lpad(length(split_part(extra, '.', 2))::text, 2, '0') || split_part(extra, '.', 2) || '!' end,
    sha, drawn.platform, streams.id, custom_targets.id,
    '{arm64}', 'Nightly build of ' || branch, bytes, source, 'release', sha, 'https://ci.example.com/runs/' || sha,
    'git', 'github', 'quay/app', 'https://github.com/quay/app', branch, sha,
    'https://github.com/quay/app/commit/' || sha, now() - age - interval '1 minute', now() - age,
    case when is_trash then now() end
  from drawn join applications on applications.id = $1
    join streams on streams.application_id = $1 and streams.name = drawn.stream
    left join custom_targets on custom_targets.application_id = $1 and custom_targets.name = drawn.target
      and custom_targets.platform = drawn.platform`,
  `with drawn as (select ${buildId} as id, floor(1e6 + ${random(9)} * 4e8)::bigint as bytes, $1::text as application
    from generate_series($2::bigint, $3::bigint) as n
  ), object as (
    insert into stored_objects (key, size_bytes, segments)
    select id, bytes, jsonb_build_array(jsonb_build_object('name', id, 'sizeBytes', bytes)) from drawn
  )
  insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
  select gen_random_uuid(), id, 'primary', 'app-' || id || '.zip', bytes, 'zip', id from drawn`,
  `insert into build_labels (build_id, label_id, application_id, workspace_id)
  select ${buildId}, labels.id, $1, labels.workspace_id
  from generate_series($2::bigint, $3::bigint) as n
    join (values ${labelValues})
      as wanted (name, percent, salt) on ((hashint8extended(n, 100 + salt) & 1048575) / 10485.76) < percent
    join labels on labels.application_id = $1 and labels.name = wanted.name`,
]
