import { Type } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { requireLockedRule, requireRuleOfPath, saveRule } from './notification-rule.db.ts'
import { NotificationRule, NotificationRuleChanges, RuleId, ruleErrors } from './notification-rule.ts'

export const updateNotificationRule = endpoint({
  method: 'PATCH',
  path: '/notification-rules/:notification_rule_id',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Update a notification rule',
  description:
    'Changes only the fields that the body has. Notifications that you already have stay as they are.',
  params: Type.Object({ notification_rule_id: RuleId }),
  body: NotificationRuleChanges,
  returns: one(NotificationRule),
  load: requireRuleOfPath,
  check: async ({ rule, body }) => ({ errors: ruleErrors({ ...body, kind: rule.kind }) }),
  async handle({ db, actor, rule, body }) {
    const { application_id: applicationId } = body
    if (typeof applicationId === 'string') await requireApplication(db, actor, applicationId)
    const isPurged = { notification_rules_application_id_workspace_id_fkey: notFound }
    const saved = await conflictsAs(isPurged, () =>
      inTransaction(db, async (tx) => {
        const { kind, ...before } = await requireLockedRule(tx, actor, rule.id)
        const changed = {
          kind,
          application_id: applicationId === undefined ? before.application_id : applicationId,
          stream: body.stream === undefined ? before.stream : body.stream,
          platform: body.platform === undefined ? before.platform : body.platform,
          label: body.label === undefined ? before.label : body.label,
          own_only: body.own_only ?? before.own_only,
          sends_email: body.sends_email ?? before.sends_email,
          sends_chat: body.sends_chat ?? before.sends_chat,
        }
        return saveRule(tx, rule.id, changed)
      }),
    )
    return { message: 'Notification rule updated.', data: saved }
  },
})
