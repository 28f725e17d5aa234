import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { listWebhooksPage } from './webhook.db.ts'
import { Webhook, webhookResource } from './webhook.ts'

const perPage = 15

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhooks',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'List webhooks',
  description:
    'Lists the webhooks of the application with the state of their deliveries. Secrets are never returned.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(Webhook),
  load: requireApplicationOfPath,
  async handle({ db, application, query }) {
    const page = pageFrom(query, perPage)
    const { rows, total } = await listWebhooksPage(db, application.id, page)
    return {
      message: 'Webhooks retrieved.',
      data: rows.map(webhookResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
