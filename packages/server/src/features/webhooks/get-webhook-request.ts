import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { WebhookRequest, WebhookRequestId, webhookRequestResource } from './webhook-request.ts'
import { requireWebhookRequestOfPath, WebhookId } from './webhook.ts'

export const getWebhookRequest = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id/requests/:webhook_request_id',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a webhook request',
  params: Type.Object({
    application_id: ApplicationId,
    webhook_id: WebhookId,
    webhook_request_id: WebhookRequestId,
  }),
  returns: one(WebhookRequest),
  load: requireWebhookRequestOfPath,
  async handle({ request }) {
    return { message: 'Webhook request retrieved.', data: webhookRequestResource(request) }
  },
})
