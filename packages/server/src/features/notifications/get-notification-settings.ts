import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { findSettings } from './notification-settings.db.ts'
import { NotificationSettings } from './notification-settings.ts'

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/notification-settings',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Get your notification settings',
  description: 'Returns when you get emails about notifications, and the chat to which they are sent.',
  returns: one(NotificationSettings),
  handle: async ({ db, actor: { workspaceId, userId } }) => ({
    message: 'Notification settings retrieved.',
    data: await findSettings(db, { workspaceId, userId: userId ?? '' }),
  }),
})
