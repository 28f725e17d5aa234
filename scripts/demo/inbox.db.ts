import { lanternDeep } from './plan/other-applications.ts'
import { owner, people } from './plan/people.ts'
import { withClient } from './with-client.ts'

/** Adds rules of the owner for releases, feedback and unreadable builds in every application. */
export function addNotificationRules(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into notification_rules (workspace_id, user_id, kind)
      select workspace_id, user_id, kind
      from workspace_members join users on users.id = user_id,
        unnest(array['release', 'feedback', 'build_failed']) as kind
      where email = $1`,
      [owner.email],
    )
  })
}

const request = {
  by: people.freya.email,
  application: lanternDeep.name,
  message: 'I would like to playtest the nightlies.',
}

/** Moves notifications to the times of what they are about, marks the older ones as read, and requests access. */
export function fillInbox(databaseUrl: string, now: Date): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const requestedAt = new Date(now.getTime() - 50 * 60_000)
    await client.query(
      `with requested as (
        insert into access_requests (workspace_id, application_id, user_id, message, created_at)
        select workspace_id, applications.id, users.id, $2, $4
        from applications, users where applications.name = $3 and email = $1 returning *
      )
      insert into notifications (workspace_id, user_id, application_id, kind, actor_name, occurred_at)
      select requested.workspace_id, rules.user_id, requested.application_id, rules.kind, requester.name, $4
      from requested join notification_rules rules using (workspace_id)
        join workspace_members requester on requester.user_id = requested.user_id
        join workspace_members admin on admin.user_id = rules.user_id and admin.role <> 'member'
      where rules.kind = 'access_request'`,
      [request.by, request.message, request.application, requestedAt],
    )
    await client.query(`update notifications set occurred_at = coalesce(
      (select published_at from releases where id = release_id),
      (select created_at from feedback where id = feedback_id),
      (select created_at + interval '45 seconds' from builds where id = build_id),
      occurred_at)`)
    await client.query(
      `update notifications set created_at = occurred_at,
        read_at = case when occurred_at < $1::timestamptz - interval '8 days' then occurred_at + interval '2 hours' end`,
      [now],
    )
  })
}
