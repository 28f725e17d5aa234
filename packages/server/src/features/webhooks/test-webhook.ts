import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { EventName } from '../../events/catalogue.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertWebhookRequest } from './webhook-request.db.ts'
import { WebhookRequest, webhookRequestResource } from './webhook-request.ts'
import { samplePayload } from './webhook-sample.ts'
import { requireWebhook } from './webhook.db.ts'
import { requireWebhookOfPath, WebhookId } from './webhook.ts'

export const testWebhook = endpoint({
  method: 'POST',
  path: '/applications/:application_id/webhooks/:webhook_id/test',
  scope: { workspace: 'webhooks:write', application: 'webhooks:write' },
  summary: 'Test a webhook',
  description:
    'Sends the most recent build or release, or a sample if there is none, with `test: true`. Inactive webhooks can be tested too.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  status: 201,
  returns: one(WebhookRequest),
  load: requireWebhookOfPath,
  async handle({ application, webhook, ...call }) {
    const envelope = await samplePayload(call, application.id, webhook.event as EventName)
    const request = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const current = await requireWebhook(tx, application.id, webhook.id)
      const row = await insertWebhookRequest(tx, current, envelope)
      await recordEvent(tx, call, {
        action: 'webhook.tested',
        applicationId: application.id,
        subject: { type: 'webhook', id: webhook.id },
        after: { webhook_request_id: row.id },
      })
      return row
    })
    return { message: 'Test request queued.', data: webhookRequestResource(request) }
  },
})
