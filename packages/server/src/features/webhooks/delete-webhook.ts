import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeWebhooks, requireWebhook } from './webhook.db.ts'
import { requireWebhookOfPath, webhookAuditSnapshot, WebhookId } from './webhook.ts'

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Delete a webhook',
  description: 'Also deletes its requests.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  returns: Message,
  load: requireWebhookOfPath,
  async handle({ application, webhook: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireWebhook(tx, application.id, id)
      await removeWebhooks(tx, [id])
      await recordEvent(tx, call, {
        action: 'webhook.deleted',
        applicationId: application.id,
        subject: { type: 'webhook', id },
        before: webhookAuditSnapshot(before),
      })
    })
    return { message: 'Webhook deleted.' }
  },
})
