import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import { selectCommittedBefore } from '../../database/commit-order.db.ts'
import type { Executor } from '../../database/transaction.ts'

/**
 * A row of the changes feed. It represents one build or release, a list of them, or all those that use a stream, label
 * or custom target. Rows for other creations and deletions, and rows of type `application`,
 * `upload`, `feedback` or `notification`, represent none.
 */
export type ChangeRow = {
  type:
    | 'build'
    | 'release'
    | 'stream'
    | 'label'
    | 'custom_target'
    | 'builds'
    | 'releases'
    | 'application'
    | 'upload'
    | 'feedback'
    | 'notification'
  resource_id: string
  position: number
  changed_at: string
  deleted_at: string | null
  listed_position: number | null
  resource_ids: string[] | null
}

/**
 * The row after which reading resumes. `start` is the latest position when the client began to read the feed. Up to
 * `start`, only existing builds and releases are listed, so that the client does not receive deletions of resources
 * that it has never seen.
 */
export type FeedPosition = { start: number; position: number; type: string; id: string }

type Feed = ApplicationRef & { includesReleases: boolean }

/**
 * Returns the position of the latest change that no uncommitted change can precede, even if its row has since been
 * deleted.
 */
export async function findLatestPosition(
  db: Executor,
  { applicationId, workspaceId }: ApplicationRef,
): Promise<number> {
  const latestOf = (owner: string) => sql`(select position from changes where owner_id = ${owner}
    and position < ${selectCommittedBefore} order by position desc limit 1)`
  const dropped = sql`(select max(position) from dropped_changes where owner_id in (${applicationId}, ${workspaceId}))`
  const { rows } = await sql<{ position: number }>`
    select coalesce(greatest(${latestOf(applicationId)}, ${latestOf(workspaceId)}, ${dropped}), 0) as position`.execute(
    db,
  )
  return rows[0]?.position ?? 0
}

/**
 * Lists the rows that follow a position, ordered by position; if `isInclusive` is set, includes the row at that
 * position. Also returns the position below which all changes are committed, the position of the latest change, which
 * may be at or above it, and the position of the last row that `changes.drop` deleted.
 */
export async function listChangeRows(
  db: Executor,
  { applicationId, workspaceId, includesReleases }: Feed,
  { start, position, type, id }: FeedPosition,
  { isInclusive, limit }: { isInclusive: boolean; limit: number },
) {
  const inOrder = sql`position, type, resource_id`
  const rowsOf = (owner: string) => sql`(
    select type, resource_id, position, changed_at, deleted_at, listed_position, resource_ids from changes
    where owner_id = ${owner} and position < feed.committed_before
      and (${inOrder}) ${sql.raw(isInclusive ? '>=' : '>')} (${position}::bigint, ${type}, ${id})
      and (position > ${start}::bigint or (deleted_at is null and type in ('build', 'release')))
      ${includesReleases ? sql`` : sql`and type not in ('release', 'releases')`}
    order by ${inOrder} limit ${limit})`
  const latestOf = (owner: string) =>
    sql`(select position from changes where owner_id = ${owner} order by position desc limit 1)`
  const { rows } = await sql<
    { committed_before: number; latest_position: number; dropped_position: number | null } & (
      | ChangeRow
      | { [K in keyof ChangeRow]: null }
    )
  >`
    select feed.*, page.* from (
      select ${selectCommittedBefore} as committed_before,
        coalesce(greatest(${latestOf(applicationId)}, ${latestOf(workspaceId)}), 0) as latest_position, (
        select max(position) from dropped_changes where owner_id in (${applicationId}, ${workspaceId})
      ) as dropped_position
    ) as feed
    left join lateral (
      select * from (${rowsOf(applicationId)} union all ${rowsOf(workspaceId)}) as found order by ${inOrder} limit ${limit}
    ) as page on true
    order by ${inOrder}`.execute(db)
  const [first] = rows
  if (first === undefined) throw new Error('a statement that always returns a row returned none')
  return {
    committedBefore: first.committed_before,
    latestPosition: first.latest_position,
    droppedPosition: first.dropped_position,
    rows: rows.filter((row): row is typeof row & ChangeRow => row.type !== null),
  }
}

/** A build or release that a row represents. Pass its `at` and `id` to `listMembers` to resume after it. */
export type Member = { type: 'build' | 'release'; id: string; at: string }

/** Lists the builds and releases that a row represents, starting after the member `after`. */
export async function listMembers(
  db: Executor,
  { applicationId, includesReleases }: Feed,
  row: ChangeRow,
  after: { at: string; id: string },
  limit: number,
): Promise<Member[]> {
  if (['application', 'upload', 'feedback', 'notification'].includes(row.type)) return []
  if (row.deleted_at !== null || row.listed_position === row.position) return []
  if (row.resource_ids !== null) {
    const start = Number(after.at) || 0
    const type = row.type === 'builds' ? 'build' : 'release'
    return row.resource_ids
      .slice(start, start + limit)
      .map((id, index) => ({ type, id, at: String(start + index + 1) }))
  }
  if (row.type === 'stream' || row.type === 'custom_target') {
    const isOfRow =
      row.type === 'stream'
        ? sql`stream_id = ${row.resource_id}`
        : sql`custom_target_id = ${row.resource_id}::uuid`
    const { rows } = await sql<Member>`
      select 'build' as type, id, created_at as at from builds
      where application_id = ${applicationId} and ${isOfRow} and deleted_at is null
        and (created_at, id) > (${after.at === '' ? '-infinity' : after.at}::timestamptz, ${after.id})
      order by created_at, id limit ${limit}`.execute(db)
    return rows
  }
  const found: Member[] = []
  for (const type of ['build', 'release'] as const) {
    if (after.at === 'release' && type === 'build') continue
    if (type === 'release' && !includesReleases) continue
    const id = sql.ref(`${type}_id`)
    const { rows } = await sql<{ id: string }>`
      select ${id} as id from ${sql.table(`${type}_labels`)}
      where label_id = ${row.resource_id} and application_id = ${applicationId}
        and ${id} > ${after.at === type ? after.id : ''}
      order by ${id} limit ${limit - found.length}`.execute(db)
    found.push(...rows.map((member) => ({ type, id: member.id, at: type })))
    if (found.length >= limit) break
  }
  return found
}

/**
 * Deletes up to `limit` rows that are more than `days` days old; returns the number deleted. Keeps the rows of existing
 * builds and releases, because every new cursor starts with them.
 */
export async function deleteSomeOldChanges(db: Executor, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with dropped as (
      delete from changes where (owner_id, type, resource_id) in (
        select owner_id, type, resource_id from changes
        where changed_at < now() - make_interval(days => ${days}::int)
          and (deleted_at is not null or type not in ('build', 'release'))
        order by changed_at limit ${limit} for update skip locked)
      returning owner_id, position
    ), remembered as (
      insert into dropped_changes (owner_id, position)
      select owner_id, max(position) from dropped group by owner_id order by owner_id
      on conflict (owner_id) do update set position = greatest(dropped_changes.position, excluded.position)
    )
    select count(*) from dropped`.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes up to `limit` changes of an application that is being purged; returns the number deleted. */
export async function deleteSomeChangesOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with dropped as (
      delete from changes where owner_id = ${applicationId} and (type, resource_id) in (
        select type, resource_id from changes where owner_id = ${applicationId} limit ${limit})
      returning 1
    )
    select count(*) from dropped`.execute(db)
  return rows[0]?.count ?? 0
}
