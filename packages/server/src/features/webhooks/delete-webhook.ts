import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireWebhookOfPath } from './webhook-of-path.ts'
import { deleteWebhookRow, requireWebhook } from './webhook.db.ts'
import { webhookFacts, WebhookId } from './webhook.ts'

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Delete a webhook and its stored requests',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  returns: Message,
  visible: requireWebhookOfPath,
  async handle({ application, webhook: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireWebhook(tx, application.id, id)
      await deleteWebhookRow(tx, id)
      await recordEvent(tx, call, {
        action: 'webhook.deleted',
        applicationId: application.id,
        subject: { type: 'webhook', id },
        before: webhookFacts(before),
      })
    })
    return { message: 'Webhook deleted.' }
  },
})
