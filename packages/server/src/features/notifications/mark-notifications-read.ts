import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { readTime } from '../../lib/time.ts'
import { markAllNotificationsRead } from './notification.db.ts'

export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Mark all notifications as read',
  description: 'Marks all of your notifications as read, or those that occurred up to a time.',
  body: Type.Object({
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'The `occurred_at` of the latest notification that you have seen. Later ones stay unread. By default, all are marked.',
        examples: ['2026-11-21T02:40:11.123456Z'],
      }),
    ),
  }),
  returns: Message,
  check: async ({ body: { until } }) => ({
    errors:
      until === undefined || readTime(until) !== undefined
        ? {}
        : { until: ['must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z.'] },
  }),
  async handle({ db, actor, body: { until } }) {
    await markAllNotificationsRead(db, actor, until === undefined ? undefined : readTime(until))
    return { message: 'Notifications marked as read.' }
  },
})
