import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { maxMembers } from './build-groups.db.ts'

type Listed = {
  id: string
  version: string
  size_total_bytes: number
  created_at: string
  platform: { identifier: string }
  scm: { scm_branch: string | null; scm_commit_sha: string | null }
  ci_pipeline: Record<'ci_pipeline_name' | 'ci_run_id' | 'ci_run_url', string | null>
  group?: { size: number; builds: Listed[] }
}

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant)
  // Few values of each column, so that some builds have all, some or nothing in common. Several have the same time.
  const value = (seed: string, values: (string | null)[]) =>
    sql`(${values}::text[])[1 + abs(hashtext(${seed} || n)) % ${values.length}::int]`
  await sql`insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor,
      version_patch, version_extra, version_sort, platform, stream_id, size_total_bytes, build_source, scm_branch,
      scm_commit_sha, ci_pipeline_name, ci_run_id, ci_run_url, keep_forever, created_at, deleted_at)
    select 'g' || lpad(n::text, 9, '0'), workspace_id, application_id, build_structure, version_major, n % 2, version_patch,
      ${value('extra', [null, null, 'rc'])}, version_sort, ${value('platform', ['android', 'ios', 'windows'])}, stream_id,
      n % 7, build_source, ${value('branch', ['main', 'next', null])}, ${value('commit', ['aa', 'bb', null])},
      ${value('pipeline', ['ci', null])}, ${value('run', ['1', '2', null])}, ${value('url', ['https://ci/1', null, null])},
      n % 5 = 0, timestamptz '2026-01-01Z' + n / 3 * interval '1 hour', case when n % 9 = 0 then now() end
    from builds, generate_series(1, 240) as n where id = ${build.id}`.execute(service.deps.db)
})
after(() => service.close())

async function list(query: Record<string, string | number>) {
  const pairs = Object.entries(query).map(([name, each]): [string, string] => [name, String(each)])
  const text = new URLSearchParams(pairs).toString()
  const { status, body } = await service.call('GET', `/applications/${tenant.applicationId}/builds?${text}`, {
    key: tenant.applicationKey,
  })
  assert.equal(status, 200, text)
  return body as { data: Listed[]; pagination: { total: number } }
}

/** Lists all pages. */
async function listAll(query: Record<string, string>, perPage: number) {
  const found: Listed[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await list({ ...query, page, per_page: perPage })
    found.push(...data)
    if (data.length < perPage) return { found, total: pagination.total }
  }
}

const keys: Record<string, (build: Listed) => (string | null)[]> = {
  version: ({ version, scm, ci_pipeline }) => [
    version,
    scm.scm_commit_sha,
    ...Object.values(runOf(ci_pipeline)),
  ],
  run: ({ ci_pipeline }) => Object.values(runOf(ci_pipeline)),
  branch: ({ scm }) => [scm.scm_branch],
}

const runOf = ({ ci_pipeline_name, ci_run_id, ci_run_url }: Listed['ci_pipeline']) => ({
  ci_pipeline_name,
  ci_run_id,
  ci_run_url,
})

/** Returns what the builds of the group of a build have in common; its ID if it is no part of a group. */
function keyOf(groupBy: string, build: Listed): string {
  const { ci_run_id, ci_run_url } = build.ci_pipeline
  const known = {
    version: build.scm.scm_commit_sha ?? ci_run_id ?? ci_run_url,
    run: ci_run_id ?? ci_run_url,
    branch: build.scm.scm_branch,
  }[groupBy]
  return known === null ? build.id : JSON.stringify(keys[groupBy]!(build))
}

const newestFirst = (a: Listed, b: Listed) =>
  a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1

const queries: Record<string, string>[] = [
  {},
  { sort: 'desc' },
  { sort_by: 'size_total_bytes', sort: 'desc' },
  { sort_by: 'version', sort: 'desc' },
  { sort_by: 'built_at', sort: 'desc' },
  { platforms: 'android,ios', sort: 'desc' },
  { branches: 'main' },
  { search: 'rc', sort: 'desc' },
  { kept: 'false', sort: 'desc' },
  { trashed: 'true' },
  { created_after: '2026-01-02T03:00:00Z', created_before: '2026-01-03T00:00:00Z' },
]

for (const groupBy of Object.keys(keys))
  test(`lists the newest build of each ${groupBy} with the others, for any filter and order`, async () => {
    for (const query of queries) {
      const { found: builds } = await listAll(query, 100)
      const groups = Map.groupBy(builds.toSorted(newestFirst), (build) => keyOf(groupBy, build))
      const expected = builds
        .filter((build) => groups.get(keyOf(groupBy, build))?.[0] === build)
        .map((build) => {
          const [, ...others] = groups.get(keyOf(groupBy, build)) ?? []
          return [build.id, others.length + 1, others.slice(0, maxMembers).map(({ id }) => id)]
        })
      const { found, total } = await listAll({ ...query, group_by: groupBy }, 30)
      const shown = found.map(({ id, group }) => [id, group?.size, group?.builds.map((each) => each.id)])
      assert.deepEqual(shown, expected, JSON.stringify(query))
      assert.equal(total, expected.length, JSON.stringify(query))
      assert.ok(expected.length < builds.length, JSON.stringify(query))
    }
  })

test('returns the other builds of a group as complete as the newest', async () => {
  const { data: grouped } = await list({ group_by: 'version', per_page: 100 })
  const { group, ...newest } = grouped.find((build) => build.group!.size > 1)!
  const { data: alone } = await list({ per_page: 100 })
  const others = group!.builds
  assert.ok(others.length > 0)
  for (const build of [newest, ...others]) {
    const found = alone.find(({ id }) => id === build.id)
    if (found !== undefined) assert.deepEqual(build, found)
  }
  assert.ok(alone.every((build) => build.group === undefined))
})
