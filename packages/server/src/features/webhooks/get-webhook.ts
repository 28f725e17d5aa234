import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { requireWebhookOfPath, SingleWebhook, singleWebhookResource, WebhookId } from './webhook.ts'

export const getWebhook = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a webhook',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  returns: one(SingleWebhook),
  load: requireWebhookOfPath,
  async handle({ db, webhook }) {
    return { message: 'Webhook retrieved.', data: await singleWebhookResource(db, webhook) }
  },
})
