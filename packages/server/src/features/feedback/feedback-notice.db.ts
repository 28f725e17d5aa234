import { sql } from 'kysely'
import { selectMemberReaches } from '../../access/member.db.ts'
import type { Executor, Tx } from '../../database/transaction.ts'

/** The time between two emails about feedback on the same build. */
const noticeMinutes = 15

/** Marks the subscribers of a build as notified. Returns false if they were notified a few minutes ago. */
export async function takeNotice(tx: Tx, buildId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into feedback_notices as notices (build_id) values (${buildId})
    on conflict (build_id) do update set sent_at = now()
      where notices.sent_at <= now() - make_interval(mins => ${noticeMinutes}::int)
    returning build_id`.execute(tx)
  return rows.length > 0
}

const isMember = sql<boolean>`exists (
  select from workspace_members m where m.workspace_id = applications.workspace_id and m.user_id = users.id
    and ${selectMemberReaches(sql`applications.id`)})`

/** Returns the addresses of the subscribers who can still access the application. */
export async function listSubscriberAddresses(db: Executor, applicationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('feedback_subscriptions as s')
    .innerJoin('users', 'users.id', 's.user_id')
    .innerJoin('applications', 'applications.id', 's.application_id')
    .where('s.application_id', '=', applicationId)
    .where(isMember)
    .select('users.email')
    .orderBy('users.id')
    .execute()
  return rows.map(({ email }) => email)
}

export async function findSubscription(
  db: Executor,
  applicationId: string,
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('feedback_subscriptions')
    .select('user_id')
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export async function setSubscription(
  tx: Tx,
  applicationId: string,
  userId: string,
  isSubscribed: boolean,
): Promise<void> {
  if (isSubscribed)
    await tx
      .insertInto('feedback_subscriptions')
      .values({ application_id: applicationId, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await tx
      .deleteFrom('feedback_subscriptions')
      .where('application_id', '=', applicationId)
      .where('user_id', '=', userId)
      .execute()
}

/** Returns the names that an email about feedback shows. */
export async function requireNoticeNames(tx: Tx, applicationId: string) {
  return tx
    .selectFrom('applications')
    .innerJoin('workspaces', 'workspaces.id', 'applications.workspace_id')
    .select(['applications.name as application', 'workspaces.name as workspace'])
    .where('applications.id', '=', applicationId)
    .executeTakeFirstOrThrow()
}
