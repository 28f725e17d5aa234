import { Type } from 'typebox'
import { cursorList } from '../../http/endpoint/cursor-list.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listNotificationsAfter, type NotificationRow } from './notification.db.ts'
import { Notification, notificationResource } from './notification.ts'

const notificationList = cursorList('notifications.1', 'notifications')

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'List your notifications',
  description:
    'Returns the notifications of the last 90 days, the latest first. Notifications of what you can no longer access, or of what is in the trash, are not listed.',
  query: Type.Object({
    unread: Type.Optional(Type.Boolean({ description: 'Set to `true` to list only unread notifications.' })),
    ...notificationList.query,
  }),
  returns: notificationList.returns(Notification),
  async handle({ db, actor, config, query: { unread: isUnread = false, ...query } }) {
    const page = notificationList.readPage(query)
    const rows = await listNotificationsAfter(db, actor, { isUnread, ...page })
    const positionOf = ({ occurred_at: time, id }: NotificationRow) => ({ time, id })
    const { shown, cursor } = notificationList.pageOf(rows, page, positionOf)
    return {
      message: 'Notifications retrieved.',
      data: shown.map((row) => notificationResource(row, config)),
      cursor,
    }
  },
})
