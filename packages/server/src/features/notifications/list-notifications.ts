import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { listNotificationsAfter } from './notification.db.ts'
import { Notification, notificationResource, positionCursor, readPosition } from './notification.ts'

const defaultLimit = 100

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'List your notifications',
  description:
    'Returns the notifications of the last 90 days, the latest first. Notifications of what you can no longer access, or of what is in the trash, are not listed.',
  query: Type.Object({
    unread: Type.Optional(Type.Boolean({ description: 'Set to `true` to list only unread notifications.' })),
    after: Type.Optional(
      Type.String({ maxLength: 2000, description: '`cursor` of the previous page; omit it for the first.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: defaultLimit,
        description: 'Maximum number of entries.',
      }),
    ),
  }),
  returns: Type.Object({
    message: Type.String(),
    data: Type.Array(Notification),
    cursor: Nullable(
      Type.String({ description: '`after` for the next page; `null` if there are no more notifications.' }),
    ),
  }),
  async handle({ db, actor, config, query: { unread = false, after, limit = defaultLimit } }) {
    const rows = await listNotificationsAfter(db, actor, {
      isUnread: unread,
      after: readPosition(after),
      limit: limit + 1,
    })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      message: 'Notifications retrieved.',
      data: shown.map((row) => notificationResource(row, config)),
      cursor: last === undefined ? null : positionCursor({ time: last.occurred_at, id: last.id }),
    }
  },
})
