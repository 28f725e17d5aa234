import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { noFilter } from './build-filter.db.ts'
import { listBuildsPage } from './build-list.db.ts'
import { searchLimits } from './build-search-page.db.ts'
import { fillBuildTexts } from './build-search.db.ts'

const count = 40
const smallLimits = { maxMatches: 30, sampleSize: 4, commonMatches: 2, maxRead: 12 }

let service: Service
let tenant: Tenant
let labelId: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant, { labels: ['Candidate'] })
  labelId = build.labels[0].id
  await sql`
    insert into builds select (jsonb_populate_record(builds, jsonb_build_object(
      'id', 'search' || lpad(n::text, 4, '0'), 'version_major', n % 7, 'version_minor', 9, 'notes', null,
      'scm_branch', 'main'))).*
    from builds, generate_series(1, ${count}::int) as n where id = ${build.id}`.execute(service.deps.db)
  await sql`
    with object as (
      insert into stored_objects (key, size_bytes, segments)
      select ${tenant.applicationId} || id, 1, '[]' from builds where application_id = ${tenant.applicationId}
        and id <> ${build.id} returning key
    )
    insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
    select gen_random_uuid(), right(key, 10), 'primary', 'App-' || right(key, 2) || '.zip', 1, 'zip', key from object
  `.execute(service.deps.db)
})
after(() => service.close())

const idOf = (number: number) => `search${String(1 + (number % count)).padStart(4, '0')}`

type Write = (number: number, text: string) => ReturnType<typeof sql>
const writes: Record<string, Write> = {
  note: (number, text) => sql`update builds set notes = ${text} where id = ${idOf(number)}`,
  branch: (number, text) => sql`update builds set scm_branch = ${text} where id >= ${idOf(number)}
    and application_id = ${tenant.applicationId}`,
  rename: (number, text) =>
    sql`update files set filename = ${`${text}.zip`} where build_id = ${idOf(number)}`,
  expand: (number, text) => sql`
    with object as (
      insert into stored_objects (key, size_bytes, segments) values (gen_random_uuid()::text, 1, '[]') returning key)
    insert into files (id, build_id, role, filename, size_bytes, filetype, object_key)
    select gen_random_uuid(), ${idOf(number)}, 'expansion', ${`${text}.obb`}, 1, 'obb', key from object
    on conflict do nothing`,
  shrink: (number) => sql`delete from files where build_id = ${idOf(number)} and role = 'expansion'`,
  label: (number) => sql`insert into build_labels (build_id, label_id, application_id, workspace_id)
    select id, ${labelId}, application_id, workspace_id from builds where id = ${idOf(number)} on conflict do nothing`,
  trash: (number) => sql`update builds set deleted_at = case when deleted_at is null then now() end
    where id = ${idOf(number)}`,
  fill: (number) => sql`select fill_build_texts(${number % 20})`,
}

/** Lists the matching builds by comparing each searched field. */
async function matchesOf(search: string, branches: string[] | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string; texts: string[] }>`
    select id, array(select filename from files where build_id = builds.id)
      || array(select name from labels join build_labels on label_id = labels.id where build_id = builds.id)
      || array[id, build_number, notes, scm_branch, scm_commit_sha,
        concat_ws('.', version_major, version_minor, version_patch) || coalesce('-' || version_extra, '')
          || coalesce('+' || version_meta, '')] as texts
    from builds where application_id = ${tenant.applicationId} and deleted_at is null
      and (${branches === undefined} or scm_branch = any(${branches ?? []}))
    order by version_major desc, version_minor desc, version_patch desc, id desc`.execute(service.deps.db)
  return rows
    .filter(({ texts }) => texts.some((text) => text?.toLowerCase().includes(search.toLowerCase())))
    .map(({ id }) => id)
}

const letters = fc.constantFrom(...'abxyZÉ漢0./-_%\\\'"&:* ')
const text = (maxLength: number) => fc.string({ unit: letters, minLength: 1, maxLength })
const search = fc.oneof(text(4), fc.constantFrom('main', 'SEARCH00', 'a', 'p', 'candidate', '.zip', '9.'))

test('finds the same builds at any time as a comparison of every field', async () => {
  const { db } = service.deps
  const operation = fc.oneof(
    fc.record({
      write: fc.constantFrom(...Object.keys(writes)),
      number: fc.nat(count),
      text: text(12),
    }),
    fc.record({
      search,
      branches: fc.option(fc.constant(['main']), { nil: undefined }),
      number: fc.integer({ min: 1, max: 5 }),
      limits: fc.constantFrom(smallLimits, { ...smallLimits, commonMatches: 1 }, searchLimits),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 30, maxLength: 60 }), async (operations) => {
      for (const each of operations) {
        if ('write' in each) {
          await writes[each.write]!(each.number, each.text).execute(db)
          continue
        }
        const page = { number: each.number, limit: 7, offset: (each.number - 1) * 7 }
        const filter = { ...noFilter, search: each.search, branches: each.branches }
        const order = { sortBy: 'version_short', direction: 'desc' } as const
        const { rows, total } = await listBuildsPage(
          db,
          tenant.applicationId,
          filter,
          order,
          page,
          each.limits,
        )
        const expected = (await matchesOf(each.search, each.branches)).slice(0, each.limits.maxMatches)
        assert.equal(total, expected.length, each.search)
        assert.deepEqual(
          rows.map(({ id }) => id),
          expected.slice(page.offset, page.offset + page.limit),
          each.search,
        )
      }
    }),
    { numRuns: 10, endOnFailure: true },
  )
})

test('uses the current text of a build whose change commits while its text is computed', async () => {
  const { db } = service.deps
  await fillBuildTexts(db, 1_000)
  await sql`update builds set notes = 'before' where id = ${idOf(1)}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`update builds set notes = 'afterward' where id = ${idOf(1)}`.execute(tx)
    assert.equal(await fillBuildTexts(db, 1_000), 0)
  })
  assert.equal(await fillBuildTexts(db, 1_000), 1)
  const { rows } = await sql<{ text: string }>`
    select text from build_texts where build_id = ${idOf(1)}`.execute(db)
  assert.match(rows[0]?.text ?? '', /afterward/)
})
