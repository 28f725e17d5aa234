import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { foldBuildChanges } from '../totals/build-totals.db.ts'

let service: Service
let tenant: Tenant

/** More builds than are compared with a text one by one. */
const builds = 6_000

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant, { labels: ['wide', 'seldom'] })
  await copyBuild(service, build.id, builds)
  const { db } = service.deps
  await sql`update builds set
      created_at = '2026-01-01T12:00:00Z'::timestamptz + make_interval(hours => n % 9000),
      size_total_bytes = n % 300, version_patch = n % 40, version_sort = lpad((n % 40)::text, 12, '0') || '~',
      version_extra = case when n % 2 = 0 then 'nightly.' || n % 30 end,
      scm_branch = case when n % 3 > 0 then 'release/' || n % 4 when n % 1000 = 0 then 'spike' end,
      notes = case when n % 700 = 0 then 'Fixes the Überlauf_1' end,
      build_number = (n * 7)::text,
      deleted_at = case when n % 50 = 0 then now() end
    from (select id as numbered, row_number() over (order by id)::int as n from builds) as numbers
    where id = numbered and application_id = ${tenant.applicationId}`.execute(db)
  await sql`update files set filename = case when n % 2 = 0 then 'Atlas-' || n % 11 || '.zip' else 'q' || n % 500 || '.apk' end
    from (select id as numbered, row_number() over (order by build_id)::int as n from files) as numbers
    where id = numbered`.execute(db)
  await foldBuildChanges(db, 100_000)
  await sql`insert into build_labels
    select builds.id, labels.id, builds.application_id, builds.workspace_id
    from builds join labels on labels.application_id = builds.application_id
    where labels.name = 'wide' and version_patch > 20 or labels.name = 'seldom' and version_patch = 7 and size_total_bytes < 9
    on conflict do nothing`.execute(db)
  await sql`analyze`.execute(db)
})
after(() => service.close())

/** Returns the IDs of the builds in which the text occurs, in the order of a list. */
async function idsOf(text: string, condition: string, order: string): Promise<string[]> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = await sql<{ id: string }>`
    select id from builds where application_id = ${tenant.applicationId} and deleted_at is null and ${sql.raw(condition)} and (
      concat_ws(chr(1), id, version_major || '.' || version_minor || '.' || version_patch || coalesce('-' || version_extra, ''),
        build_number, notes, scm_branch, scm_commit_sha) ilike ${pattern}
      or id in (select build_id from files where filename ilike ${pattern})
      or id in (select build_id from build_labels join labels on labels.id = label_id where labels.name ilike ${pattern}))
    order by ${sql.raw(order)}`.execute(service.deps.db)
  return rows.map(({ id }) => id)
}

const lists = [
  { filter: '', condition: 'true' },
  { filter: 'branches=release/1', condition: `scm_branch = 'release/1'` },
  {
    filter: 'labels=wide',
    condition: `id in (select build_id from build_labels join labels on labels.id = label_id
      where labels.name = 'wide')`,
  },
  { filter: 'created_after=2026-03-01T00:00:00Z', condition: `created_at >= '2026-03-01Z'` },
]
const searches = [
  'a',
  'q',
  '7',
  'zz',
  '77',
  'e/',
  'Ü',
  '_',
  '%',
  'atlas',
  'Atlas-1',
  'release',
  'release/1',
  'nightly',
  '-nightly.2',
  'spike',
  'überlauf_',
  'wide',
  'seldom',
  'zip',
  'nowhere',
]

for (const text of searches)
  test(`lists the builds in which "${text}" occurs, with each filter, in order`, async () => {
    for (const [index, { filter, condition }] of lists.entries()) {
      const [sort, order] = index % 2 === 0 ? ['created_at', 'created_at'] : ['version', 'version_sort']
      const expected = await idsOf(text, condition, `${order} desc, id desc`)
      const last = Math.max(1, Math.ceil(expected.length / 15))
      for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
        const query = new URLSearchParams(filter)
        for (const [name, value] of Object.entries({
          search: text,
          sort_by: sort,
          sort: 'desc',
          page,
          per_page: 15,
        }))
          query.set(name, String(value))
        const path = `/applications/${tenant.applicationId}/builds?${query.toString()}`
        const { body } = await service.call('GET', path, { key: tenant.workspaceKey })
        const ids = (body.data as { id: string }[]).map(({ id }) => id)
        assert.deepEqual(
          { total: body.pagination.total, ids },
          { total: expected.length, ids: expected.slice((page - 1) * 15, page * 15) },
          query.toString(),
        )
      }
    }
  })
