import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listRules } from './notification-rule.db.ts'
import { NotificationRule } from './notification-rule.ts'

export const listNotificationRules = endpoint({
  method: 'GET',
  path: '/notification-rules',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'List your notification rules',
  description:
    'Returns what you are notified of. Everyone starts with rules for mentions, for feedback on their builds and for their builds that cannot be read.',
  returns: listOf(NotificationRule),
  handle: async ({ db, actor }) => ({
    message: 'Notification rules retrieved.',
    data: await listRules(db, actor),
  }),
})
