import type { Static } from 'typebox'
import { requireApplication } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { insertRule, requireRoomForRule } from './notification-rule.db.ts'
import {
  maxRules,
  NewNotificationRule,
  NotificationRule,
  ruleErrors,
  tooManyRules,
  type RuleFields,
} from './notification-rule.ts'

const ruleOf = ({ kind, ...given }: Static<typeof NewNotificationRule>): RuleFields => ({
  kind,
  application_id: given.application_id ?? null,
  stream: given.stream ?? null,
  platform: given.platform ?? null,
  label: given.label ?? null,
  own_only: given.own_only ?? false,
  sends_email: given.sends_email ?? false,
  sends_chat: given.sends_chat ?? false,
})

export const createNotificationRule = endpoint({
  method: 'POST',
  path: '/notification-rules',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Create a notification rule',
  description: `A change that matches several rules causes one notification. You are not notified of your own changes in the console. You can have at most ${maxRules} rules.`,
  body: NewNotificationRule,
  status: 201,
  refuses: [tooManyRules],
  returns: one(NotificationRule),
  check: async ({ body }) => ({ errors: ruleErrors(body) }),
  async handle({ db, actor, body }) {
    const rule = ruleOf(body)
    if (rule.application_id !== null) await requireApplication(db, actor, rule.application_id)
    const isPurged = { notification_rules_application_id_workspace_id_fkey: notFound }
    const created = await conflictsAs(isPurged, () =>
      inTransaction(db, async (tx) => {
        await requireRoomForRule(tx, actor)
        return insertRule(tx, actor, rule)
      }),
    )
    return { message: 'Notification rule created.', data: created }
  },
})
