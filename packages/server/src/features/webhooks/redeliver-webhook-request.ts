import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { insertWebhookRequest, requireWebhookRequest, type Envelope } from './webhook-request.db.ts'
import { WebhookRequest, WebhookRequestId, webhookRequestResource } from './webhook-request.ts'
import { requireWebhook } from './webhook.db.ts'
import { requireWebhookRequestOfPath, WebhookId } from './webhook.ts'

const deliveryPending = problem(
  'conflict',
  'webhook_request.waiting',
  'This request is still waiting for delivery. Redeliver it once it has been delivered or has failed.',
)

export const redeliverWebhookRequest = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/requests/:webhook_request_id/redeliver',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Redeliver a webhook request',
  description: 'Sends a new request with the same payload and event ID to the current URL of the webhook.',
  params: Type.Object({
    application_id: ApplicationId,
    webhook_id: WebhookId,
    webhook_request_id: WebhookRequestId,
  }),
  status: 201,
  refuses: [deliveryPending],
  returns: one(WebhookRequest),
  load: requireWebhookRequestOfPath,
  async handle({ application, webhook, request, ...call }) {
    const redelivery = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const current = await requireWebhook(tx, application.id, webhook.id)
      const { state, request_payload } = await requireWebhookRequest(tx, webhook.id, request.id)
      if (state === 'waiting') throw deliveryPending()
      const row = await insertWebhookRequest(tx, current, request_payload as Envelope, request.id)
      await recordEvent(tx, call, {
        action: 'webhook_request.redelivered',
        applicationId: application.id,
        subject: { type: 'webhook_request', id: request.id },
        after: { webhook_request_id: row.id },
      })
      return row
    })
    return { message: 'Request queued for redelivery.', data: webhookRequestResource(redelivery) }
  },
})
