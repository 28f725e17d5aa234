import { sql } from 'kysely'
import { selectCommittedBefore } from '../database/commit-order.db.ts'
import type { Executor } from '../database/transaction.ts'
import { afterTransaction, firstPosition, type ChangePosition } from './change-position.ts'

/** A change to a resource, as recorded by the triggers of its table. */
export type LoggedChange = ChangePosition & {
  changed_at: string
  is_deleted: boolean
  /** The position at which the resource was created or restored; null if unknown. */
  listed_position: number | null
  /** The application that the resource belongs to; null if it belongs to the workspace. */
  application_id: string | null
  workspace_id: string
  /** Whether the application is in the trash, so that nobody can read the resource. */
  is_hidden: boolean
}

/** The owners whose changes are read: a workspace and some of its applications, or all of them if the IDs are null. */
export type ChangeOwners = { workspaceId: string; applicationIds: ReadonlySet<string> | null }

/** A part of the log, with the position below which all changes are committed. */
export type LogPage = { changes: LoggedChange[]; committedBefore: number; hasMore: boolean }

const inOrder = sql`position, type collate "C", resource_id collate "C", owner_id collate "C"`
const latestFirst = sql`position desc, type collate "C" desc, resource_id collate "C" desc, owner_id collate "C" desc`
const isAfter = ({ position, type, id, owner }: ChangePosition) =>
  sql`(${inOrder}) > (${position}::bigint, ${type}, ${id}, ${owner})`

const selectChanges = (rows: ReturnType<typeof sql>) => sql`
  select rows.position, rows.type, rows.resource_id as id, rows.owner_id as owner, rows.changed_at,
    rows.deleted_at is not null as is_deleted, rows.listed_position,
    case when rows.type = 'application' then rows.resource_id else applications.id end as application_id,
    coalesce(applications.workspace_id, rows.owner_id) as workspace_id,
    applications.deleted_at is not null as is_hidden
  from (${rows}) as rows left join applications on applications.id = rows.owner_id`

type PageRow = { committed_before: number; is_pending: boolean } & (
  | LoggedChange
  | { [K in keyof LoggedChange]: null }
)

/**
 * Lists up to `limit` committed changes of all owners, starting after a place. `isPending` is set if later changes must
 * wait for a transaction that is still running.
 */
export async function listChangesAfter(
  db: Executor,
  after: ChangePosition,
  limit: number,
): Promise<LogPage & { isPending: boolean }> {
  const { rows } = await sql<PageRow>`
    select log.*, page.* from (
      select committed_before, exists (select from changes where position >= committed_before) as is_pending
      from (select ${selectCommittedBefore} as committed_before) as snapshot
    ) as log
    left join lateral (${selectChanges(sql`
      select * from changes where ${isAfter(after)} and position >= ${after.position}::bigint
        and position < log.committed_before
      order by ${inOrder} limit ${limit}`)}) as page on true
    order by page.position, page.type collate "C", page.id collate "C", page.owner collate "C"`.execute(db)
  return { ...pageOf(rows, limit), isPending: rows[0]?.is_pending ?? false }
}

/** Lists the latest `limit` committed changes of all owners. */
export async function listLatestChanges(db: Executor, limit: number): Promise<LogPage> {
  const { rows } = await sql<PageRow>`
    select log.*, false as is_pending, page.* from (select ${selectCommittedBefore} as committed_before) as log
    left join lateral (${selectChanges(sql`
      select * from changes where position < log.committed_before order by ${latestFirst} limit ${limit}`)}
    ) as page on true
    order by page.position, page.type collate "C", page.id collate "C", page.owner collate "C"`.execute(db)
  return pageOf(rows, limit)
}

/** Returns the place after all committed changes. */
export async function findEndOfLog(db: Executor): Promise<ChangePosition> {
  const { changes } = await listLatestChanges(db, 1)
  return changes[0] === undefined ? firstPosition : afterTransaction(changes[0])
}

/** Lists up to `limit` committed changes of these owners, starting after a place. */
export async function listChangesOfOwners(
  db: Executor,
  owners: ChangeOwners,
  after: ChangePosition,
  limit: number,
): Promise<LogPage> {
  const { rows } = await sql<PageRow>`
    select log.*, false as is_pending, page.* from (select ${selectCommittedBefore} as committed_before) as log
    left join lateral (${selectChanges(sql`
      select found.* from (${selectOwners(owners)}) as owners
      cross join lateral (
        select * from changes where owner_id = owners.id and position >= ${after.position}::bigint
          and position < log.committed_before and ${isAfter(after)}
        order by ${inOrder} limit ${limit}
      ) as found
      order by ${inOrder} limit ${limit}`)}) as page on true
    order by page.position, page.type collate "C", page.id collate "C", page.owner collate "C"`.execute(db)
  return pageOf(rows, limit)
}

function pageOf(rows: PageRow[], limit: number): LogPage {
  const [first] = rows
  if (first === undefined) throw new Error('a statement that always returns a row returned none')
  const changes = rows.filter((row): row is PageRow & LoggedChange => row.type !== null)
  return { changes, committedBefore: first.committed_before, hasMore: changes.length === limit }
}

const selectOwners = ({ workspaceId, applicationIds }: ChangeOwners) =>
  applicationIds === null
    ? sql`select id from applications where workspace_id = ${workspaceId} union all select ${workspaceId}`
    : sql`select unnest(${[...applicationIds, workspaceId]}::text[]) as id`

/** Returns the position below which all changes are committed, and the position of the last deleted change, if any. */
export async function findLogBounds(
  db: Executor,
  owners: ChangeOwners,
): Promise<{ committedBefore: number; droppedPosition: number | null }> {
  const { rows } = await sql<{ committedBefore: number; droppedPosition: number | null }>`
    select ${selectCommittedBefore} as "committedBefore", (
      select max(position) from dropped_changes where owner_id in (${selectOwners(owners)})
    ) as "droppedPosition"`.execute(db)
  const [bounds] = rows
  if (bounds === undefined) throw new Error('a statement that always returns a row returned none')
  return bounds
}

/** Returns the IDs of the given applications that exist and are not in the trash. */
export async function listExistingApplications(db: Executor, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('applications')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const notificationChannel = 'quayside_changes'

/**
 * Wakes the readers of the log in other processes. Do not call it in a transaction that makes changes, because
 * PostgreSQL commits transactions with notifications one at a time.
 */
export async function notifyReaders(db: Executor): Promise<void> {
  await sql`select pg_notify(${notificationChannel}, '')`.execute(db)
}
