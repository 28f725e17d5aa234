import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { getsEmails, isEligible } from './distribution-group-member.db.ts'

export type Notification = { id: string; email: string; member_id: string }

/** The time at which the next summary of a member is sent: 08:00 UTC, on Mondays if it is weekly. */
const nextDigest = sql`(case digest
  when 'daily' then date_trunc('day', now() at time zone 'UTC' - interval '8 hours') + interval '1 day 8 hours'
  else date_trunc('week', now() at time zone 'UTC' - interval '8 hours') + interval '7 days 8 hours'
end) at time zone 'UTC'`

type Share = { group_id: string; release_id: string }

/**
 * Inserts and returns notifications for the eligible and subscribed members of the groups who do not yet have one for
 * the release. A person who belongs to several groups is notified through the first of them. Notifications of members
 * with a digest wait for it. The caller must hold locks on the releases.
 */
export async function insertReleaseNotifications(
  tx: Tx,
  shares: readonly Share[],
): Promise<(Notification & { share_index: number; digest: string })[]> {
  const column = (name: keyof Share) => shares.map((share) => share[name])
  // One statement for all members: in batches, each would again search for the members who have no notification yet.
  const { rows } = await sql<Notification & { share_index: number; digest: string }>`
    with recipients as materialized (
      select distinct on (share.release_id, lower(m.email)) gen_random_uuid() as id, share.release_id,
        lower(m.email) as email, m.id as member_id, (share.number - 1)::integer as share_index,
        coalesce(m.digest, g.digest) as digest
      from unnest(${column('group_id')}::text[], ${column('release_id')}::text[])
        with ordinality as share (group_id, release_id, number)
      join distribution_groups g on g.id = share.group_id
      join distribution_group_members m on m.distribution_group_id = g.id
      where ${getsEmails} and ${isEligible}
        and not exists (select from release_notifications n
          where n.release_id = share.release_id and n.email = lower(m.email))
      order by share.release_id, lower(m.email), share.number
    ), inserted as (
      insert into release_notifications (id, release_id, email)
      select id, release_id, email from recipients
    ), waiting as (
      insert into digest_entries (notification_id, member_id, due_at)
      select id, member_id, ${nextDigest} from recipients where digest <> 'none'
    )
    select id, email, member_id, share_index, digest from recipients order by share_index, email`.execute(tx)
  return rows
}

/**
 * Finds the recipient and release of a group link. Returns undefined if the link is unknown or its release was deleted.
 */
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

type Recipient = Pick<ReleaseNotificationRow, 'release_id' | 'email'>

function selectSharingGroups(db: Executor, { release_id, email }: Recipient) {
  return db
    .selectFrom('distribution_groups as g')
    .innerJoin('distribution_group_releases as gr', 'gr.distribution_group_id', 'g.id')
    .innerJoin('releases', 'releases.id', 'gr.release_id')
    .innerJoin('distribution_group_members as m', 'm.distribution_group_id', 'g.id')
    .where('gr.release_id', '=', release_id)
    .where('releases.status', '=', 'published')
    .where(sql`lower(m.email)`, '=', email)
    .where('g.is_active', '=', true)
    .where(isEligible)
    .select('g.id')
    .orderBy('gr.added_at')
    .orderBy('g.id')
    .limit(1)
}

/** Finds the ID of an active group that shares the release with the recipient. */
export async function findSharingGroup(db: Executor, recipient: Recipient): Promise<string | undefined> {
  return (await selectSharingGroups(db, recipient).executeTakeFirst())?.id
}

/** Finds the ID of an active group that shares the release with the recipient and accepts feedback. */
export async function findFeedbackGroup(db: Executor, recipient: Recipient): Promise<string | undefined> {
  const groups = selectSharingGroups(db, recipient).where('g.feedback_enabled', '=', true)
  return (await groups.executeTakeFirst())?.id
}

/**
 * Finds a group as `findSharingGroup` does, and locks the rows of the group, the membership, the release and the
 * release's entry in the group.
 */
export async function findLockedSharingGroup(tx: Tx, recipient: Recipient): Promise<string | undefined> {
  // Every change to a group or release locks the rows in this order, which prevents deadlocks.
  const tables = ['g', 'releases', 'gr', 'm'] as const
  return (await selectSharingGroups(tx, recipient).forShare(tables).executeTakeFirst())?.id
}

/**
 * Counts the groups with the release, including inactive ones, and how many of them contain the recipient. Counts none
 * if the release is not published.
 */
export async function countGroupsOfRecipient(db: Executor, { release_id, email }: Recipient) {
  return db
    .selectFrom('distribution_group_releases as gr')
    .innerJoin('distribution_groups as g', 'g.id', 'gr.distribution_group_id')
    .innerJoin('releases', 'releases.id', 'gr.release_id')
    .leftJoin('distribution_group_members as m', (join) =>
      join
        .onRef('m.distribution_group_id', '=', 'g.id')
        .on(sql`lower(m.email)`, '=', email)
        .on(isEligible),
    )
    .where('gr.release_id', '=', release_id)
    .where('releases.status', '=', 'published')
    .select((eb) => [
      eb.fn.countAll<number>().as('groups'),
      eb.fn.count<number>('m.id').as('groups_of_person'),
    ])
    .executeTakeFirstOrThrow()
}
