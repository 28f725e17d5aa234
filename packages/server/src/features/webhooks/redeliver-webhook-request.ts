import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireWebhookRequestOfPath } from './webhook-of-path.ts'
import { insertWebhookRequest, requireWebhookRequest } from './webhook-request.db.ts'
import { WebhookRequest, WebhookRequestId, webhookRequestResource, type Envelope } from './webhook-request.ts'
import { requireWebhook } from './webhook.db.ts'
import { WebhookId } from './webhook.ts'

export const redeliverWebhookRequest = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/requests/:webhook_request_id/redeliver',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Send a stored request once more',
  description: 'A new request with the same payload and event id, to the present URL of the webhook.',
  params: Type.Object({
    application_id: ApplicationId,
    webhook_id: WebhookId,
    webhook_request_id: WebhookRequestId,
  }),
  status: 201,
  returns: one(WebhookRequest),
  visible: requireWebhookRequestOfPath,
  async handle({ application, webhook, request, ...call }) {
    const again = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const current = await requireWebhook(tx, application.id, webhook.id)
      const { state, request_payload } = await requireWebhookRequest(tx, webhook.id, request.id)
      if (state === 'waiting') throw stillWaiting()
      const row = await insertWebhookRequest(tx, current, request_payload as Envelope)
      await recordEvent(tx, call, {
        action: 'webhook_request.redelivered',
        applicationId: application.id,
        subject: { type: 'webhook_request', id: request.id },
        after: { webhook_request_id: row.id },
      })
      return row
    })
    return { message: 'Request queued again.', data: webhookRequestResource(again) }
  },
})

const stillWaiting = (): Problem =>
  new Problem(
    'conflict',
    'webhook_request.waiting',
    'This request is still to be sent: wait for its outcome.',
  )
