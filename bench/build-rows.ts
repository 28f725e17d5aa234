/** The percentage of builds that have each label. */
export const labels = {
  signed: 40,
  'qa-passed': 25,
  store: 12,
  debug: 8,
  demo: 4,
  candidate: 2,
  hotfix: 1,
  blocked: 0.2,
}
export const customTargets = ['Kiosk', 'Tablet']

/** SQL that says which builds are inserted. */
export type BuildRows = {
  /** Selects `n`, which is unique, `application_id` and `place`, the approximate position among the builds of the application. */
  numbers: string
  /** The ID of the build `n`. */
  id: string
  /** The number of builds, of which the last one is the newest. */
  count: number
  /** The time between two builds. */
  secondsBetween: number
  /** The commit at a place. */
  sha: string
  /** Whether the checksums of the files are known. */
  hasChecksums?: boolean
}

/** Returns SQL for a random number between 0 and 1 that depends on `n`. */
export const random = (salt: number) => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0)`

/**
 * Returns SQL that picks an item by a random number between 0 and 1. Items that are listed repeatedly are picked more
 * often.
 */
const pick = (list: string[], random: string) =>
  `(array[${list.map((text) => `'${text}'`).join()}])[1 + floor(${random} * ${list.length})::int]`

const labelValues = Object.entries(labels)
  .map(([name, percent], index) => `('${name}', ${percent}, ${index})`)
  .join()

/**
 * Returns statements that insert builds that resemble real data, with their files and labels. The applications must have the
 * default streams, these labels and these custom targets. Seven in ten builds are nightly builds and one in thirty is in
 * the trash. Most builds are on main branches, the rest on short-lived branches.
 */
export const buildStatements = (rows: BuildRows): string[] => [
  insertBuilds(rows),
  insertFiles(rows),
  insertLabels(rows),
]

const insertBuilds = ({ numbers, id, count, secondsBetween, sha }: BuildRows) =>
  `with numbers as (${numbers}), numbered as (
    select application_id, ${id} as id, n, place, place / 40000 as major, place / 1000 % 40 as minor, place % 1000 as patch,
      ${pick(['nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'nightlies', 'default', 'default', 'stable'], random(1))} as stream,
      ${pick(['android', 'android', 'android', 'ios', 'ios', 'windows', 'linux', 'macos'], random(2))} as platform,
      case when ${random(3)} < 0.2 then ${pick(['Kiosk', 'Kiosk', 'Kiosk', 'Tablet'], random(4))} end as target,
      ${pick(['ghactions', 'ghactions', 'ghactions', 'gitlab-ci', 'jenkins', 'cli-upload', 'web-upload'], random(5))} as source,
      case when ${random(6)} < 0.7 then ${pick(['main', 'main', 'develop'], random(7))}
        when ${random(6)} < 0.8 then 'release/' || place / 40000 || '.' || place / 1000 % 40
        -- Consecutive builds share a branch, because branches are short-lived.
        else 'feature/' || place / 400 || '-' || floor(${random(8)} * 5) end as branch,
      floor(1e6 + ${random(9)} * 4e8)::bigint as bytes, ${sha} as sha,
      make_interval(secs => (${count} - n) * ${secondsBetween} + ${random(10)} * 200) as age, ${random(11)} < 0.033 as is_trash
    from numbers
  ), computed as (
    select *, case stream when 'stable' then null when 'nightlies' then 'nightly.' else 'beta.' end || place % 97 as extra,
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
  from computed join applications on applications.id = computed.application_id
    join streams on streams.application_id = computed.application_id and streams.name = computed.stream
    left join custom_targets on custom_targets.application_id = computed.application_id and custom_targets.name = computed.target
      and custom_targets.platform = computed.platform`

const checksums = (key: string) =>
  [1, 1.25, 2, 4].map((length) => `left(repeat(md5(${key}), 4), ${length * 32})`).join()

const insertFiles = ({ numbers, id, hasChecksums = false }: BuildRows) =>
  `with numbers as (${numbers}), computed as (
    select ${id} as id, floor(1e6 + ${random(9)} * 4e8)::bigint as bytes from numbers
  ), object as (
    insert into stored_objects (key, size_bytes, segments)
    select id, bytes, jsonb_build_array(jsonb_build_object('name', id, 'sizeBytes', bytes)) from computed
  )
  insert into files (id, build_id, role, filename, size_bytes, filetype, object_key,
    checksum_md5, checksum_sha1, checksum_sha256, checksum_sha512)
  select gen_random_uuid(), id, 'primary', 'app-' || id || '.zip', bytes, 'zip', id,
    ${hasChecksums ? checksums('id') : 'null, null, null, null'} from computed`

const insertLabels = ({ numbers, id }: BuildRows) =>
  `with numbers as (${numbers})
  insert into build_labels (build_id, label_id, application_id, workspace_id)
  select ${id}, labels.id, labels.application_id, labels.workspace_id
  from numbers
    join (values ${labelValues})
      as shares (name, percent, salt) on ((hashint8extended(n, 100 + salt) & 1048575) / 10485.76) < percent
    join labels on labels.application_id = numbers.application_id and labels.name = shares.name`
