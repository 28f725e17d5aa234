import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { markNotification, requireNotification } from './notification.db.ts'
import { Notification, NotificationId, notificationResource } from './notification.ts'

export const updateNotification = endpoint({
  method: 'PATCH',
  path: '/notifications/:notification_id',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Mark a notification as read',
  description: 'Marks the notification as read or unread.',
  params: Type.Object({ notification_id: NotificationId }),
  body: Type.Object({ read: Type.Boolean({ description: 'Whether you have read it.' }) }),
  returns: one(Notification),
  load: async ({ db, actor, params }) => ({
    notification: await requireNotification(db, actor, params.notification_id),
  }),
  async handle({ db, actor, config, notification: { id }, body }) {
    await markNotification(db, id, body.read)
    const data = notificationResource(await requireNotification(db, actor, id), config)
    return { message: `Notification marked as ${body.read ? 'read' : 'unread'}.`, data }
  },
})
