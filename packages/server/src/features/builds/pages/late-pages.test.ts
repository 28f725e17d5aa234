import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { foldBuildChanges } from '../totals/build-totals.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant, { labels: ['a', 'b'] })
  await copyBuild(service, build.id, 2_500)
  // Many builds have equal values, so that they are sorted by their IDs.
  await sql`update builds set
      built_at = case when n % 7 > 0 then '2026-01-01Z'::timestamptz + make_interval(days => n % 90) end,
      created_at = '2026-01-01T12:00:00Z'::timestamptz + make_interval(hours => n % 1000),
      size_total_bytes = n % 300, version_patch = n % 40, version_sort = lpad((n % 40)::text, 12, '0') || '~',
      scm_branch = case when n % 3 > 0 then 'main' end, processing = case when n % 5 = 0 then 'failed' else 'none' end,
      architectures = case when n % 4 > 0 then '{x64}'::text[] else '{}' end,
      deleted_at = case when n % 50 = 0 then now() end
    from (select id as numbered, row_number() over (order by id)::int as n from builds) as numbers
    where id = numbered and application_id = ${tenant.applicationId}`.execute(service.deps.db)
  await foldBuildChanges(service.deps.db, 10_000)
  await sql`insert into build_labels
    select builds.id, labels.id, builds.application_id, builds.workspace_id
    from builds join labels on labels.application_id = builds.application_id
    where version_patch > 3 and (labels.name = 'a' or version_patch = 10) on conflict do nothing`.execute(
    service.deps.db,
  )
})
after(() => service.close())

const perPage = 15
const orders = {
  created_at: ['created_at'],
  built_at: ['built_at'],
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
}
const everyOrder = Object.keys(orders)
const hasLabel = (name: string) => `id in (
  select build_id from build_labels join labels on labels.id = label_id where labels.name = '${name}')`
const lists = [
  { filter: '', condition: 'true', sorts: everyOrder },
  { filter: 'branches=main', condition: `scm_branch = 'main'`, sorts: ['built_at'] },
  { filter: 'labels=a', condition: hasLabel('a'), sorts: ['version'] },
  { filter: 'labels=a,b', condition: `(${hasLabel('a')} or ${hasLabel('b')})`, sorts: ['created_at'] },
  { filter: 'labels=b', condition: hasLabel('b'), sorts: everyOrder },
  {
    filter: 'labels=b&processing=failed',
    condition: `${hasLabel('b')} and processing = 'failed'`,
    sorts: ['version'],
  },
  { filter: 'architectures=x64', condition: `architectures = '{x64}'`, sorts: ['size_total_bytes'] },
  {
    filter: 'labels=a&created_after=2026-01-03T00:00:00Z',
    condition: `${hasLabel('a')} and created_at >= '2026-01-03Z'`,
    sorts: ['version_short'],
  },
]

async function idsInOrder(condition: string, columns: string[], direction: string): Promise<string[]> {
  const order = [...columns, 'id'].map((column) => `${column} ${direction} nulls last`).join()
  const { rows } = await sql<{
    id: string
  }>`select id from builds where application_id = ${tenant.applicationId}
    and deleted_at is null and ${sql.raw(condition)} order by ${sql.raw(order)}`.execute(service.deps.db)
  return rows.map(({ id }) => id)
}

for (const { filter, condition, sorts } of lists)
  test(`lists late pages in order${filter && ` with ${filter}`}`, async () => {
    for (const [sortBy, columns] of Object.entries(orders).filter(([name]) => sorts.includes(name)))
      for (const direction of ['asc', 'desc']) {
        const expected = await idsInOrder(condition, columns, direction)
        const last = Math.ceil(expected.length / perPage)
        for (const page of [Math.floor(last / 2), last, last + 1]) {
          const query = `${filter}&sort_by=${sortBy}&sort=${direction}&page=${page}`
          const path = `/applications/${tenant.applicationId}/builds?${query}`
          const { body } = await service.call('GET', path, { key: tenant.workspaceKey })
          const ids = (body.data as { id: string }[]).map(({ id }) => id)
          const slice = expected.slice((page - 1) * perPage, page * perPage)
          assert.deepEqual(
            { total: body.pagination.total, ids },
            { total: expected.length, ids: slice },
            query,
          )
        }
      }
  })
