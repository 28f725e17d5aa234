import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeRule, requireRuleOfPath } from './notification-rule.db.ts'
import { RuleId } from './notification-rule.ts'

export const deleteNotificationRule = endpoint({
  method: 'DELETE',
  path: '/notification-rules/:notification_rule_id',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Delete a notification rule',
  description: 'Keeps the notifications that you already have.',
  params: Type.Object({ notification_rule_id: RuleId }),
  returns: Message,
  load: requireRuleOfPath,
  async handle({ db, rule }) {
    await removeRule(db, rule.id)
    return { message: 'Notification rule deleted.' }
  },
})
