import { uuidV7 } from '../src/lib/ids.ts'
import type { Service, Tenant } from './harness.ts'

/** Inserts a notification and a rule of a member, and returns their IDs. */
export async function insertNotificationOf(
  { deps: { db } }: Service,
  { workspaceId, applicationId }: Tenant,
  { userId, buildId }: { userId: string; buildId: string },
): Promise<{ notification_id: string; notification_rule_id: string }> {
  const owner = { workspace_id: workspaceId, application_id: applicationId, user_id: userId, kind: 'build' }
  const [notification_id, notification_rule_id] = [uuidV7(), uuidV7()]
  await db
    .insertInto('notifications')
    .values({
      ...owner,
      id: notification_id,
      build_id: buildId,
      stream: 'default',
      occurred_at: new Date().toISOString(),
    })
    .execute()
  await db
    .insertInto('notification_rules')
    .values({ ...owner, id: notification_rule_id })
    .execute()
  return { notification_id, notification_rule_id }
}
