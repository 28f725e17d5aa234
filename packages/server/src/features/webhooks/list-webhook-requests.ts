import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { listWebhookRequestsPage } from './webhook-request.db.ts'
import { WebhookRequest, webhookRequestResource, WebhookRequestState } from './webhook-request.ts'
import { requireWebhookOfPath, WebhookEvent, WebhookId } from './webhook.ts'

const perPage = 15

export const listWebhookRequests = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks/:webhook_id/requests',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'List webhook requests',
  description: 'Lists the requests of the last 30 days, with the outcome of each attempt.',
  params: Type.Object({ application_id: ApplicationId, webhook_id: WebhookId }),
  query: Type.Object({
    state: Type.Optional(WebhookRequestState),
    event: Type.Optional(WebhookEvent),
    ...sortQuery(['created_at'], 'created_at'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(WebhookRequest),
  load: requireWebhookOfPath,
  async handle({ db, webhook, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listWebhookRequestsPage(
      db,
      webhook.id,
      { state: query.state, event: query.event },
      query.sort ?? 'asc',
      page,
    )
    return {
      message: 'Webhook requests retrieved.',
      data: rows.map(webhookRequestResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
