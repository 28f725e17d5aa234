import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireWebhookOfPath } from './webhook-of-path.ts'
import { findLatestWebhookRequest } from './webhook-request.db.ts'
import { SingleWebhook, singleWebhookResource, WebhookId } from './webhook.ts'

export const getWebhook = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a webhook with its latest request',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  returns: one(SingleWebhook),
  visible: requireWebhookOfPath,
  async handle({ db, webhook }) {
    const latest = await findLatestWebhookRequest(db, webhook.id)
    return { message: 'Webhook retrieved.', data: singleWebhookResource(webhook, latest) }
  },
})
