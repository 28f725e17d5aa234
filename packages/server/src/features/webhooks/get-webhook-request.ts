import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { encodePayload } from './webhook-format.ts'
import { requirePayloadText } from './webhook-request.db.ts'
import { SingleWebhookRequest, WebhookRequestId, webhookRequestResource } from './webhook-request.ts'
import { requireWebhookRequestOfPath, WebhookId } from './webhook.ts'

export const getWebhookRequest = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id/requests/:webhook_request_id',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a webhook request',
  description: 'Returns one request with the exact body that was signed and the response of the receiver.',
  params: Type.Object({
    application_id: ApplicationId,
    webhook_id: WebhookId,
    webhook_request_id: WebhookRequestId,
  }),
  returns: one(SingleWebhookRequest),
  load: requireWebhookRequestOfPath,
  async handle({ db, request, webhook, application }) {
    const payload = await requirePayloadText(db, request.id)
    const { body } = encodePayload({ payload, format: webhook.format, application_name: application.name })
    return {
      message: 'Webhook request retrieved.',
      data: { ...webhookRequestResource(request), request_body: body },
    }
  },
})
