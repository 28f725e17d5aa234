import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { violatedConstraint } from '../../../database/errors.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { shortId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { conditionsOf, matchingOf, type BuildFilter } from '../build-filter.db.ts'
import { anyFilter, edgeCases, platforms, sources } from '../build-filters.fixture.ts'
import { processingStates } from '../inspection/build-inspection.db.ts'
import { countPendingChanges, foldBuildChanges, selectTotal } from './build-totals.db.ts'
import { findBuildTotals, mergeStorageUsage } from './storage-usage.db.ts'

let service: Service
let tenant: Tenant
let model: string
let streams: string[]
let labels: string[]
let targets: string[]
/** The columns of builds that are not generated. */
let insertedColumns: RawBuilder<unknown>
/** A connection that plans each prepared statement only once. */
let prepared: pg.Client

const branches = ['main', 'next', null]
const architectures = [['x64'], ['x64', 'arm64v8'], ['armv7'], []]

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const { applicationId, workspaceKey: key } = tenant
  const at = `/applications/${applicationId}`
  const { build } = await uploadedBuild(service, tenant, { labels: ['one', 'two'] })
  model = build.id
  const create = async (path: string, body: object) =>
    (await service.call('POST', path, { key, body })).body.data.id as string
  labels = [
    await create(`${at}/labels`, { name: 'a' }),
    await create(`${at}/labels`, { name: 'b' }),
    await create('/workspace/labels', { name: 'c' }),
  ]
  targets = [await create(`${at}/custom-targets`, { name: 'Kiosk', platform: 'android' })]
  const listed = await service.call('GET', `${at}/streams`, { key })
  streams = listed.body.data.map(({ id }: { id: string }) => id)
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = 'builds'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    service.deps.db,
  )
  insertedColumns = sql.join(rows.map(({ name }) => sql.ref(name)))
  prepared = new pg.Client({
    ...service.state.connection,
    options: '-c plan_cache_mode=force_generic_plan',
  })
  // If files share a service, its database is deleted before `after` closes this connection.
  prepared.on('error', () => {})
  await prepared.connect()
})
after(async () => {
  await prepared.end()
  await service.close()
})

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!

/** Returns a condition that matches up to three builds, including trashed builds but never the model build. */
const some = (number: number) => sql`
  id in (select id from builds where application_id = ${tenant.applicationId} and id <> ${model}
    order by md5(id || ${number}::text) limit ${1 + (number % 3)})`

const insertBuilds = (number: number) => sql`
  insert into builds (${insertedColumns}) select ${insertedColumns}
  from (select (jsonb_populate_record(builds, jsonb_build_object(
    'id', substr(md5(${shortId(10)} || n), 1, 10), 'stream_id', ${pick(streams, number)}::text,
    'platform', ${pick(platforms, number)}::text, 'build_source', ${pick(sources, number)}::text,
    'scm_branch', ${pick(branches, number)}::text, 'version_major', ${number % 50}::int,
    'custom_target_id', null, 'architectures', ${pick(architectures, number)}::text[],
    'created_at', '2026-03-01T22:00:00Z'::timestamptz + make_interval(hours => ${number % 90}::int),
    'deleted_at', case when ${number % 7 === 0}::boolean then now() end))).*
    from builds, generate_series(1, ${1 + (number % 3)}::int) as n where id = ${model}) as copies`

const setColumn = (column: string, value: unknown) => (number: number) =>
  sql`update builds set ${sql.ref(column)} = ${value} where ${some(number)}`

/** The writes from which the property tests generate random sequences, by name. */
const writes: Record<string, (number: number) => ReturnType<typeof insertBuilds>> = {
  insert: insertBuilds,
  insertMore: (number) => insertBuilds(number * 31),
  move: (number) => setColumn('stream_id', pick(streams, number))(number),
  source: (number) => setColumn('build_source', pick(sources, number))(number),
  branch: (number) => setColumn('scm_branch', pick(branches, number))(number),
  architectures: (number) => setColumn('architectures', pick(architectures, number))(number),
  processing: (number) => setColumn('processing', pick(processingStates, number))(number),
  version: (number) => setColumn('version_major', number % 100)(number),
  keepForever: (number) => setColumn('keep_forever', number % 2 === 0)(number),
  created: (number) =>
    sql`update builds set created_at = created_at + interval '7 hours' where ${some(number)}`,
  trash: (number) => sql`update builds set deleted_at = now() where ${some(number)}`,
  restore: (number) => sql`update builds set deleted_at = null where ${some(number)}`,
  trashWithPlatform: (
    number,
  ) => sql`update builds set deleted_at = case when deleted_at is null then now() end,
    platform = ${pick(platforms, number)}, custom_target_id = null
    where ${some(number)}`,
  target: (number) => sql`update builds set custom_target_id = ${pick(targets, number)},
    platform = (select platform from custom_targets
      where id = ${pick(targets, number)}) where ${some(number)}`,
  targetPlatform: (number) => sql`update custom_targets set platform = ${pick(platforms, number)}
    where id = ${pick(targets, number)}`,
  label: (number) => sql`insert into build_labels
    select builds.id, labels.id, builds.application_id, builds.workspace_id
    from builds, labels where builds.${some(number)} and labels.id = any(${labels.slice(number % 3)})
    on conflict do nothing`,
  relabel: (number) => sql`update build_labels set label_id = ${pick(labels, number)}
    where build_id in (select id from builds where ${some(number)}) and label_id = ${pick(labels, number + 1)}
      and not exists (select from build_labels as other where other.build_id = build_labels.build_id
        and other.label_id = ${pick(labels, number)})`,
  unlabel: (number) => sql`delete from build_labels
    where build_id in (select id from builds where ${some(number)}) and label_id = ${pick(labels, number)}`,
  temporaryLabel: (number) => sql`with created as (
      insert into labels (id, workspace_id, application_id, name, color)
      values (${shortId(10)}, ${tenant.workspaceId}, ${tenant.applicationId}, 'temporary', '#000000')
      on conflict do nothing returning *)
    insert into build_labels
    select builds.id, created.id, builds.application_id, builds.workspace_id from builds, created
    where builds.${some(number)}`,
  deleteLabel: () => sql`delete from labels where name = 'temporary'`,
  promote: (number) => sql`update labels set application_id = null where id = ${pick(labels, number)}`,
  remove: (number) => sql`delete from builds where ${some(number)}`,
  purge: () =>
    sql`delete from builds where deleted_at is not null and application_id = ${tenant.applicationId}`,
  moveAll: (number) => sql`update builds set stream_id = ${pick(streams, number)}
    where stream_id = ${pick(streams, number + 1)}`,
  metadata: (number) => setColumn('metadata_total_bytes', number)(number),
  derived: (number) => setColumn('derived_total_bytes', number)(number),
  foldSome: (number) => sql`select count_build_changes(${1 + (number % 20)})`,
  foldAll: () => sql`select count_build_changes(1000000)`,
}

const ids = () => ({ streams, labels, targets })
const someFilters = () => fc.array(anyFilter(ids()), { minLength: 20, maxLength: 20 })

async function assertExactTotals(moreFilters: BuildFilter[] = []): Promise<void> {
  for (const filters of [edgeCases(ids()), moreFilters])
    if (filters.length > 0) await assertSameTotals(filters)
  await assertExactBytes()
}

type Counts = { total: number; counted: number }

async function assertSameTotals(filters: BuildFilter[]): Promise<void> {
  const { applicationId } = tenant
  const each = filters
    .map((filter) => matchingOf(applicationId, filter))
    .map(
      (matching) => sql`select ${selectTotal(matching)} as total,
        (select count(*) from builds where ${conditionsOf('builds', matching)}) as counted`,
    )
  const { sql: text, parameters } = sql`${sql.join(each, sql` union all `)}`.compile(service.deps.db)
  // Planning the query takes far longer than running it, so repeated queries are prepared.
  const name = createHash('md5').update(text).digest('hex')
  const { rows } = await prepared.query<Counts>({ name, text, values: [...parameters] })
  const mismatches = rows.flatMap(({ total, counted }, index) =>
    total === counted ? [] : [{ filter: filters[index], total, counted }],
  )
  assert.equal(rows.length, filters.length)
  assert.deepEqual(mismatches, [])
}

async function assertExactBytes(): Promise<void> {
  const { db } = service.deps
  const { rows } = await sql<{ bytes: number }>`
    select sum(size_total_bytes + metadata_total_bytes + derived_total_bytes)::bigint as bytes from builds
    where application_id = ${tenant.applicationId}`.execute(db)
  const { storedBytes } = await findBuildTotals(db, tenant.applicationId)
  assert.deepEqual(storedBytes, { total: rows[0]?.bytes, selfHosted: 0, shared: 0 })
}

class RolledBack extends Error {}

async function write(commands: [string, number][], isRolledBack = false): Promise<void> {
  const work = async (tx: Tx) => {
    // Deadlocks are frequent here, and by default PostgreSQL waits one second before it checks for them.
    await sql`set local deadlock_timeout = '20ms'`.execute(tx)
    for (const [name, number] of commands)
      await (name === 'merge' ? mergeStorageUsage(tx, number % 10) : writes[name]!(number).execute(tx))
    if (isRolledBack) throw new RolledBack()
  }
  await inTransaction(service.deps.db, work).catch((error: unknown) => {
    const isBusy = error instanceof Problem && error.code === 'database.busy'
    if (!(error instanceof RolledBack) && !isBusy && violatedConstraint(error) === undefined) throw error
  })
}

const command = fc.tuple(fc.constantFrom('merge', ...Object.keys(writes)), fc.nat({ max: 9999 }))
const transactionOf = (maxLength: number) =>
  fc.tuple(fc.array(command, { minLength: 1, maxLength }), fc.nat({ max: 9 }))

test('returns exact build totals for any filter after any sequence of writes', async () => {
  const sequence = fc.array(transactionOf(4), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sequence, someFilters(), async (transactions, filters) => {
      for (const [commands, chance] of transactions) await write(commands, chance === 0)
      await assertExactTotals(filters)
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('returns exact build totals for any filter after concurrent writes', async () => {
  const sequence = fc.array(transactionOf(2), { minLength: 10, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(sequence, someFilters(), async (transactions, filters) => {
      await Promise.all(transactions.map(([commands, chance]) => write(commands, chance === 0)))
      await assertExactTotals(filters)
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

test('returns exact build totals when all, some or none of the changes are still pending', async () => {
  const { db } = service.deps
  const [filters = []] = fc.sample(fc.array(anyFilter(ids()), { minLength: 300, maxLength: 300 }), 1)
  await write([
    ['insert', 4],
    ['insertMore', 5],
    ['label', 0],
    ['move', 1],
  ])
  assert.ok((await countPendingChanges(db)) > 2)
  await assertExactTotals(filters)
  await foldBuildChanges(db, 2)
  await assertExactTotals(filters)
  while ((await foldBuildChanges(db, 50)) > 0);
  assert.equal(await countPendingChanges(db), 0)
  await assertExactTotals(filters)
})

test('removes stored counts that are zero or refer to a deleted label', async () => {
  const { db } = service.deps
  while ((await foldBuildChanges(db, 50)) > 0);
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, builds as count from build_counts
    where builds <= 0
      or exists (select unnest(label_ids) except select id from labels)`.execute(db)
  assert.deepEqual(rows, [])
})

test('merges storage usage into one row per application', async () => {
  const { db } = service.deps
  const { applicationId, workspaceKey: key } = tenant
  for (let count = 0; count < 2; count++) await uploadedBuild(service, tenant, {})
  await mergeStorageUsage(db, 1)
  const usage = db.selectFrom('storage_usage').select('bytes')
  const rows = await usage.where('application_id', '=', applicationId).execute()
  assert.equal(rows.length, 1)
  await assertExactBytes()
  const { body } = await service.call('GET', `/applications/${applicationId}`, { key })
  assert.equal(body.data.storage_usage.total_bytes, rows[0]?.bytes)
})

test('deletes the build counts, pending changes and storage usage of a deleted application', async () => {
  const { db } = service.deps
  const other = await service.tenant()
  await uploadedBuild(service, other, { labels: ['x'] })
  await foldBuildChanges(db, 1_000_000)
  await uploadedBuild(service, other, { labels: ['y'] })
  const left = async () => {
    const counted = sql<{ left: number }>`select
      (select count(*) from build_counts where application_id = ${other.applicationId})
      + (select count(*) from build_changes where application_id = ${other.applicationId})
      + (select count(*) from storage_usage where application_id = ${other.applicationId}) as left`
    return (await counted.execute(db)).rows[0]?.left
  }
  assert.ok((await left())! > 5)
  await db.deleteFrom('pending_uploads').where('application_id', '=', other.applicationId).execute()
  await db.deleteFrom('applications').where('id', '=', other.applicationId).execute()
  assert.equal(await left(), 0)
})
