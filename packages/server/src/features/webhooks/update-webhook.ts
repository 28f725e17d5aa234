import { Type, type Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireWebhookOfPath } from './webhook-of-path.ts'
import { findLatestWebhookRequest } from './webhook-request.db.ts'
import {
  goneMeanwhile,
  requireFitting,
  requireLabelWish,
  requireStreamWish,
  requireWebhookUrl,
} from './webhook-subscription.ts'
import {
  findActiveWebhookCount,
  requireWebhook,
  updateWebhookRow,
  updateWebhookSecret,
  type WebhookRow,
} from './webhook.db.ts'
import {
  mostActive,
  SingleWebhook,
  singleWebhookResource,
  tooManyActive,
  WebhookChanges,
  webhookFacts,
  WebhookId,
} from './webhook.ts'

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Change a webhook',
  description:
    'With another secret, requests carry the signatures of both for a day; null removes it at once.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  body: WebhookChanges,
  returns: one(SingleWebhook),
  visible: requireWebhookOfPath,
  async handle({ application, webhook: { id }, body, ...call }) {
    const { secret } = body
    const wishes = givenChanges(WebhookChanges, body)
    delete wishes.secret
    const sealed = typeof secret === 'string' ? call.secretBox.seal(secret, `webhook ${id}`) : null
    const change = async (tx: Tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireWebhook(tx, application.id, id)
      const columns = await changedColumns(tx, before, wishes)
      if (Object.keys(columns).length > 0) await updateWebhookRow(tx, id, columns)
      if (secret !== undefined) await updateWebhookSecret(tx, id, sealed)
      const after = await requireWebhook(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'webhook.updated',
        applicationId: application.id,
        subject: { type: 'webhook', id },
        before: webhookFacts(before),
        after: { ...webhookFacts(after), ...(secret === undefined ? {} : { secret_changed: true }) },
      })
      return after
    }
    const changed = await conflictsAs(goneMeanwhile(body), () => inTransaction(call.db, change))
    const latest = await findLatestWebhookRequest(call.db, id)
    return { message: 'Webhook updated.', data: singleWebhookResource(changed, latest) }
  },
})

async function changedColumns(
  tx: Tx,
  before: WebhookRow,
  { stream, label, url, ...plain }: Omit<Static<typeof WebhookChanges>, 'secret'>,
) {
  const owner = { applicationId: before.application_id, workspaceId: before.workspace_id }
  const columns = {
    ...plain,
    ...(url === undefined ? {} : { url: requireWebhookUrl(url) }),
    ...(stream === undefined ? {} : await requireStreamWish(tx, owner, stream)),
    ...(label === undefined ? {} : await requireLabelWish(tx, owner, label)),
  }
  const { event, stream_id } = { ...before, ...columns }
  requireFitting(event, stream_id)
  const isSwitchedOn = plain.is_active === true && !before.is_active
  if (!isSwitchedOn) return columns
  if ((await findActiveWebhookCount(tx, before.application_id)) >= mostActive) throw tooManyActive()
  // it starts anew, not where five days of failures have ended it
  return { ...columns, in_error_state: false, failing_since: null }
}
