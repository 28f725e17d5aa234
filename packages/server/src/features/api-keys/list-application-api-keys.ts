import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/pagination.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listApiKeysPage } from './api-key.db.ts'
import { ApiKey } from './api-key.ts'
import { apiKeyResource } from './issue-api-key.ts'

const perPage = 15

export const listApplicationApiKeys = endpoint({
  method: 'GET',
  path: '/applications/:application_id/api-keys',
  scope: { workspace: 'api_keys:read' },
  summary: 'List the keys of an application, revoked ones included',
  description: 'Keys that CI runs got for a token leave the list a week after they expired.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(ApiKey),
  visible: requireApplicationOfPath,
  async handle({ db, application, query }) {
    const page = pageFrom(query, perPage)
    const owner = { workspaceId: application.workspace_id, applicationId: application.id }
    const { rows, total } = await listApiKeysPage(db, owner, page)
    return {
      message: 'API keys retrieved.',
      data: rows.map(apiKeyResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
