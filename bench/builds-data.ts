import { versionSortKey } from '../packages/server/src/lib/semver.ts'
import type { openDatabase } from './database.ts'
import type { Service } from './service.ts'

type Pool = ReturnType<typeof openDatabase>['pool']

const rowsAtOnce = 5_000
const platforms = ['android', 'android', 'android', 'ios', 'ios', 'windows', 'linux', 'macos']
const sources = ['ghactions', 'ghactions', 'ghactions', 'gitlab-ci', 'jenkins', 'cli-upload', 'web-upload']
const labels = ['signed', 'qa-passed', 'hotfix', 'demo', 'store', 'debug', 'candidate', 'blocked']
const branches = ['main', 'main', 'main', 'develop', 'develop', 'release/2.4']

/** An application of `count` builds: platforms, streams, labels, targets and sources as teams have them. */
export async function fillBuilds(service: Service, pool: Pool, count: number): Promise<string> {
  const { data: application } = await service.api<{ data: { id: string } }>('POST', '/applications', {
    name: `${count} builds`,
    platforms: [...new Set(platforms)],
  })
  const at = `/applications/${application.id}`
  const streams = await service.api<{ data: { id: string; name: string }[] }>('GET', `${at}/streams`)
  const labelIds: string[] = []
  for (const name of labels) {
    const created = await service.api<{ data: { id: string } }>('POST', `${at}/labels`, { name })
    labelIds.push(created.data.id)
  }
  const target = await service.api<{ data: { id: string } }>('POST', `${at}/custom-targets`, {
    name: 'Kiosk',
    platform: 'android',
  })
  const random = generator(42)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const streamOf = () => (random() < 0.7 ? 'nightlies' : random() < 0.6 ? 'default' : 'stable')
  const streamIds = new Map(streams.data.map(({ id, name }) => [name, id]))

  for (let first = 0; first < count; first += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - first) }, (_, index) => {
      const number = first + index
      const stream = streamOf()
      const [major, minor, patch] = [
        1 + Math.floor(number / 40_000),
        Math.floor(number / 1_000) % 40,
        number % 1_000,
      ]
      const extra =
        stream === 'stable' ? null : `${stream === 'nightlies' ? 'nightly' : 'beta'}.${number % 97}`
      const platform = pick(platforms)
      const chosen = labelIds.filter(() => random() < 0.25)
      return {
        id: `b${number.toString(36).padStart(9, '0')}`,
        major,
        minor,
        patch,
        extra,
        version_sort: versionSortKey({ major, minor, patch, extra, meta: null }),
        platform,
        stream_id: streamIds.get(stream),
        target_id: platform === 'android' && random() < 0.2 ? target.data.id : null,
        source: pick(sources),
        branch: random() < 0.8 ? pick(branches) : `feature/${number % 500}`,
        bytes: Math.floor(1e6 + random() * 4e8),
        sha: number.toString(16).padStart(40, '5'),
        age_seconds: (count - number) * 300 + Math.floor(random() * 200),
        labels: chosen,
      }
    })
    await pool.query(insert, [application.id, JSON.stringify(rows)])
  }
  await pool.query('vacuum (analyze)')
  return application.id
}

const insert = `
  with row as materialized (
    select * from jsonb_to_recordset($2::jsonb) as row(id text, major int, minor int, patch int, extra text,
      version_sort text, platform text, stream_id text, target_id uuid, source text, branch text, bytes bigint, sha text,
      age_seconds int, labels jsonb)
  ), application as (select id, workspace_id from applications where id = $1),
  build as (
    insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
      version_extra, version_sort, build_number, platform, stream_id, custom_target_id, custom_target_owner_id,
      architectures, notes, size_total_bytes, build_source, ci_pipeline_name, ci_run_id, ci_run_url, scm_host_type,
      scm_host, scm_repo_name, scm_repo_url, scm_branch, scm_commit_sha, scm_commit_url, built_at, created_at)
    select row.id, workspace_id, application.id, 'file', major, minor, patch, extra, version_sort, sha, platform, stream_id,
      target_id, case when target_id is not null then application.id end, '{arm64}', 'Nightly build of ' || branch, bytes,
      source, 'release', sha, 'https://ci.example.com/runs/' || sha, 'git', 'github', 'quay/app',
      'https://github.com/quay/app', branch, sha, 'https://github.com/quay/app/commit/' || sha,
      now() - make_interval(secs => age_seconds + 60), now() - make_interval(secs => age_seconds)
    from row, application returning id, application_id, workspace_id
  ), object as (
    insert into stored_objects (key, size_bytes, segments)
    select id, bytes, jsonb_build_array(jsonb_build_object('name', id, 'sizeBytes', bytes)) from row returning key
  ), file as (
    insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
    select gen_random_uuid(), row.id, 'primary', 'app-' || row.id || '.zip', bytes, 'zip', row.id
    from row, application where (select count(*) from object) > 0 and (select count(*) from build) > 0
  )
  insert into build_labels (build_id, label_id, application_id, workspace_id, label_owner_id)
  select row.id, label, application.id, workspace_id, application.id
  from row, application, jsonb_array_elements_text(row.labels) as label`

/** The same numbers in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
