import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { countUnreadNotifications } from './notification.db.ts'

const maxCount = 100

export const countNotifications = endpoint({
  method: 'GET',
  path: '/notifications/count',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Count your unread notifications',
  description: `Counts the unread notifications that the list contains, up to ${maxCount}.`,
  returns: one(
    Type.Object(
      { unread: Type.Integer({ minimum: 0, maximum: maxCount, description: `At most ${maxCount}.` }) },
      { title: 'NotificationCount' },
    ),
  ),
  handle: async ({ db, actor }) => ({
    message: 'Notifications counted.',
    data: { unread: await countUnreadNotifications(db, actor, maxCount) },
  }),
})
