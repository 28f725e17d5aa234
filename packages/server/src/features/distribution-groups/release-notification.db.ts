import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { selectIsReached } from './distribution-group-member.db.ts'

type Told = { id: string; email: string }

/**
 * Marks the next people of the group as told of the release, who were not told of it by any group before; answers
 * them. The caller holds the release.
 */
export async function insertReleaseNotifications(
  tx: Tx,
  { groupId, releaseId, most }: { groupId: string; releaseId: string; most: number },
): Promise<Told[]> {
  const { rows } = await sql<Told>`
    insert into release_notifications (id, release_id, email)
    select gen_random_uuid(), ${releaseId}, lower(m.email)
    from distribution_group_members m join distribution_groups g on g.id = m.distribution_group_id
    where m.distribution_group_id = ${groupId} and ${selectIsReached}
      and not exists (select from release_notifications told
        where told.release_id = ${releaseId} and told.email = lower(m.email))
    order by lower(m.email) limit ${most}
    on conflict (release_id, email) do nothing
    returning id, email`.execute(tx)
  return rows
}

/** Whom a link was made for and what it opens; undefined once the release is deleted. */
export async function findReleaseNotification(db: Executor, id: string) {
  return db
    .selectFrom('release_notifications')
    .innerJoin('releases', 'releases.id', 'release_notifications.release_id')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .select([
      'release_notifications.id',
      'release_notifications.email',
      'release_notifications.release_id',
      'releases.application_id',
      'releases.workspace_id',
      'applications.name as application_name',
      sql<boolean>`applications.deleted_at is not null`.as('is_application_trashed'),
    ])
    .where('release_notifications.id', '=', id)
    .executeTakeFirst()
}

export type ReleaseNotificationRow = NonNullable<Awaited<ReturnType<typeof findReleaseNotification>>>

type Reader = Pick<ReleaseNotificationRow, 'release_id' | 'email'>

function groupsThatReach(db: Executor, { release_id, email }: Reader) {
  return db
    .selectFrom('distribution_groups as g')
    .innerJoin('distribution_group_releases as gr', 'gr.distribution_group_id', 'g.id')
    .innerJoin('distribution_group_members as m', 'm.distribution_group_id', 'g.id')
    .where('gr.release_id', '=', release_id)
    .where(sql`lower(m.email)`, '=', email)
    .where('g.is_active', '=', true)
    .where(selectIsReached)
    .select('g.id')
    .orderBy('gr.added_at')
    .orderBy('g.id')
    .limit(1)
}

/** An active group through which the person gets the release. */
export async function findReachingGroup(db: Executor, reader: Reader): Promise<string | undefined> {
  return (await groupsThatReach(db, reader).executeTakeFirst())?.id
}

/** The same; whoever takes the release, the person or the group away waits for the end of the transaction. */
export async function findLockedReachingGroup(tx: Tx, reader: Reader): Promise<string | undefined> {
  // locked in the order of the joins: the group before what is in it, as every change of a group does
  return (await groupsThatReach(tx, reader).forShare(['g', 'gr', 'm']).executeTakeFirst())?.id
}

/** Why no group reaches the person: what there is of groups that hold the release. */
export async function findGroupsOfReader(db: Executor, { release_id, email }: Reader) {
  return db
    .selectFrom('distribution_group_releases as gr')
    .innerJoin('distribution_groups as g', 'g.id', 'gr.distribution_group_id')
    .leftJoin('distribution_group_members as m', (join) =>
      join
        .onRef('m.distribution_group_id', '=', 'g.id')
        .on(sql`lower(m.email)`, '=', email)
        .on(selectIsReached),
    )
    .where('gr.release_id', '=', release_id)
    .select((eb) => [
      eb.fn.countAll<number>().as('groups'),
      eb.fn.count<number>('m.id').as('groups_of_person'),
    ])
    .executeTakeFirstOrThrow()
}
