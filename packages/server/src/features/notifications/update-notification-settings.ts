import { lockMember } from '../../access/member.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import type { FieldErrors } from '../../http/endpoint/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { findSettings, findTimeZone, saveSettings } from './notification-settings.db.ts'
import { NotificationSettings, NotificationSettingsChanges } from './notification-settings.ts'

export const updateNotificationSettings = endpoint({
  method: 'PATCH',
  path: '/notification-settings',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Update your notification settings',
  description:
    'Changes only the fields that the body has. `none` as `email` also discards the emails that wait to be sent.',
  body: NotificationSettingsChanges,
  returns: one(NotificationSettings),
  async check({ db, body: { quiet_hours: quietHours, time_zone: timeZone } }) {
    const errors: FieldErrors = {}
    if (quietHours?.from !== undefined && quietHours.from === quietHours.to)
      errors['quiet_hours.to'] = ['must differ from the time at which the quiet hours begin.']
    if (timeZone !== undefined && (await findTimeZone(db, timeZone)) === undefined)
      errors['time_zone'] = [`"${timeZone}" is not a time zone. Use a name such as Europe/Berlin.`]
    return { errors }
  },
  async handle({ db, actor, body }) {
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
      }
      await saveSettings(tx, member, changed)
      return changed
    })
    return { message: 'Notification settings updated.', data: settings }
  },
})
