import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireWebhookOfPath, SingleWebhook, singleWebhookResource, WebhookId } from './webhook.ts'

export const getWebhook = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a webhook',
  description: 'Returns one webhook with the state of its deliveries. The secret is never returned.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  returns: one(SingleWebhook),
  load: requireWebhookOfPath,
  async handle({ db, webhook }) {
    return { message: 'Webhook retrieved.', data: await singleWebhookResource(db, webhook) }
  },
})
