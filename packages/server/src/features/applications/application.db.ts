import { sql } from 'kysely'
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
    const pattern = `%${filter.search.replaceAll(/[\\%_]/g, '\\$&')}%`
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
  const rows = platforms.map((platform) => ({ application_id: applicationId, platform }))
  await tx.insertInto('application_platforms').values(rows).execute()
}
