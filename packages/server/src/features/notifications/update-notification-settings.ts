import { lockMember } from '../../access/member.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import type { FieldErrors } from '../../http/endpoint/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { allowedFormat, unknownChat } from './notification-chat.ts'
import { findSettings, findTimeZone, saveSettings } from './notification-settings.db.ts'
import { NotificationSettings, NotificationSettingsChanges } from './notification-settings.ts'

export const updateNotificationSettings = endpoint({
  method: 'PATCH',
  path: '/notification-settings',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Update your notification settings',
  description:
    'Changes only the fields that the body has. `none` as `email` also discards the emails that wait to be sent, and `null` as `chat_url` the chat messages.',
  body: NotificationSettingsChanges,
  returns: one(NotificationSettings),
  async check({ db, config, body }) {
    const { quiet_hours: quietHours, time_zone: timeZone, chat_url: chatUrl, chat_format: format } = body
    const errors: FieldErrors = {}
    if (quietHours?.from !== undefined && quietHours.from === quietHours.to)
      errors['quiet_hours.to'] = ['must differ from the time at which the quiet hours begin.']
    if (timeZone !== undefined && (await findTimeZone(db, timeZone)) === undefined)
      errors['time_zone'] = [`"${timeZone}" is not a time zone. Use a name such as Europe/Berlin.`]
    if (typeof chatUrl === 'string' && allowedFormat(config, chatUrl, format) === undefined)
      errors['chat_url'] = [unknownChat]
    return { errors }
  },
  async handle({ db, config, actor, body }) {
    const member = { workspaceId: actor.workspaceId, userId: actor.userId ?? '' }
    const settings = await inTransaction(db, async (tx) => {
      if (!(await lockMember(tx, member))) throw notFound()
      const before = await findSettings(tx, member)
      const timeZone = body.time_zone === undefined ? undefined : await findTimeZone(tx, body.time_zone)
      const changed = {
        email: body.email ?? before.email,
        digest_hour: body.digest_hour ?? before.digest_hour,
        quiet_hours: body.quiet_hours === undefined ? before.quiet_hours : body.quiet_hours,
        time_zone: timeZone ?? before.time_zone,
        ...changedChat(config, before, body),
      }
      await saveSettings(tx, member, changed)
      return changed
    })
    return { message: 'Notification settings updated.', data: settings }
  },
})

type Chat = Pick<NotificationSettings, 'chat_url' | 'chat_format' | 'chat_error'>

/** Returns the chat after a change. The error of another chat does not apply to it. */
function changedChat(
  config: Parameters<typeof allowedFormat>[0],
  before: Chat,
  { chat_url: url = before.chat_url, chat_format }: Partial<Chat>,
): Chat {
  const given = chat_format ?? (url === before.chat_url ? before.chat_format : null)
  const format = url === null ? undefined : allowedFormat(config, url, given)
  if (url === null || format === undefined) return { chat_url: null, chat_format: null, chat_error: null }
  return {
    chat_url: url,
    chat_format: format,
    chat_error: url === before.chat_url ? before.chat_error : null,
  }
}
