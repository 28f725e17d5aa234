import { sql } from 'kysely'
import { containsPattern } from '../../database/contains-pattern.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import type { Page } from '../../http/pagination.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

const columns = [
  'id',
  'workspace_id',
  'name',
  'description',
  'icon_object_key',
  'custom_store_enabled',
  'created_at',
  'updated_at',
] as const

/** The application, if the caller may see it at all. */
export async function requireApplication(db: Executor, actor: Actor, id: string) {
  if (actor.applicationId !== null && actor.applicationId !== id) throw notFound()
  const row = await db
    .selectFrom('applications')
    .select(columns)
    .where('id', '=', id)
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** The `visible` step of every endpoint below one application. */
export async function requireApplicationOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string }
}) {
  return { application: await requireApplication(call.db, call.actor, call.params.application_id) }
}

export type ApplicationFilter = {
  search: string | undefined
  platform: string | undefined
  sortBy: 'name' | 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
}

export async function listApplicationsPage(
  db: Executor,
  actor: Actor,
  filter: ApplicationFilter,
  page: Page,
) {
  let matching = db
    .selectFrom('applications')
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
  if (actor.applicationId !== null) matching = matching.where('id', '=', actor.applicationId)
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search)
    matching = matching.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern), eb('id', 'ilike', pattern)]),
    )
  }
  const { platform } = filter
  if (platform !== undefined) {
    matching = matching.where((eb) =>
      eb.exists(
        eb
          .selectFrom('application_platforms')
          .select(sql.lit(1).as('one'))
          .whereRef('application_platforms.application_id', '=', 'applications.id')
          .where('application_platforms.platform', '=', platform),
      ),
    )
  }
  const [rows, counted] = await Promise.all([
    matching
      .select(columns)
      .orderBy(filter.sortBy === 'name' ? sql`lower(name)` : filter.sortBy, filter.direction)
      .orderBy('id', filter.direction)
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}

export async function insertApplication(
  tx: Tx,
  { workspaceId, name, description }: { workspaceId: string; name: string; description: string | null },
) {
  return tx
    .insertInto('applications')
    .values({ id: shortId(12), workspace_id: workspaceId, name, description })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function insertApplicationPlatforms(
  tx: Tx,
  applicationId: string,
  platforms: string[],
): Promise<void> {
  if (platforms.length === 0) return
  const rows = platforms.map((platform) => ({ application_id: applicationId, platform }))
  await tx.insertInto('application_platforms').values(rows).execute()
}

/** Holds what an application counts of its own (webhooks, rules) until the end of the transaction; uploads go on. */
export async function requireApplicationLock(tx: Tx, id: string): Promise<void> {
  const row = await tx
    .selectFrom('applications')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
}

/** Holds the application until the end of the transaction. */
export async function requireLockedApplication(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('applications')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function updateApplicationRow(
  tx: Tx,
  id: string,
  changes: {
    name?: string
    description?: string | null
    custom_store_enabled?: boolean
    icon_object_key?: string | null
  },
) {
  return tx
    .updateTable('applications')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The application also while it is in the trash. */
export async function requireApplicationInTrashOrNot(db: Executor, actor: Actor, id: string) {
  const row = await db
    .selectFrom('applications')
    .select([...columns, 'deleted_at'])
    .where('id', '=', id)
    .where('workspace_id', '=', actor.workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** True when the application was not there yet. */
export async function updateApplicationTrashed(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('applications')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Takes it out of the trash while its days there last; false when it is not there or they are over. */
export async function updateApplicationRestored(tx: Tx, id: string, trashDays: number): Promise<boolean> {
  // first the lock, then the time: a purge that had it before has either begun, after those days, or left it
  await tx.selectFrom('applications').select('id').where('id', '=', id).forUpdate().execute()
  const result = await tx
    .updateTable('applications')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where(sql<boolean>`deleted_at > clock_timestamp() - make_interval(days => ${trashDays}::int)`)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Applications whose days in the trash are over, the oldest first. */
export async function listOverdueApplications(db: Executor, trashDays: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('applications')
    .select('id')
    .where(sql<boolean>`deleted_at <= now() - make_interval(days => ${trashDays}::int)`)
    .orderBy('deleted_at')
    .orderBy('id')
    .execute()
}

/** Which of the platforms have builds here, those in the trash too, or uploads that may still become builds. */
export async function listPlatformsInUse(db: Executor, applicationId: string, platforms: string[]) {
  const here = sql`application_id = ${applicationId}`
  const { rows } = await sql<{ platform: string }>`
    select platform from unnest(${platforms}::text[]) platform
    where exists (select from builds b where ${here} and b.platform = platform.platform and deleted_at is null)
      or exists (select from builds b where ${here} and b.platform = platform.platform and deleted_at is not null)
      or exists (select from pending_uploads where ${here} and draft->>'platform' = platform.platform
        and (state = 'verifying' or (state = 'requested' and expires_at > now())))`.execute(db)
  return rows.map(({ platform }) => platform)
}

export async function deleteApplicationPlatforms(
  tx: Tx,
  applicationId: string,
  platforms: string[],
): Promise<void> {
  if (platforms.length === 0) return
  await tx
    .deleteFrom('application_platforms')
    .where('application_id', '=', applicationId)
    .where('platform', 'in', platforms)
    .execute()
}
