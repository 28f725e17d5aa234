import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/pagination.ts'
import { listApiKeysPage } from './api-key.db.ts'
import { ApiKey } from './api-key.ts'
import { apiKeyResource } from './issue-api-key.ts'

const perPage = 15

export const listWorkspaceApiKeys = endpoint({
  method: 'GET',
  path: '/workspace/api-keys',
  scope: { workspace: 'api_keys:read' },
  summary: 'List the workspace keys, revoked ones included',
  query: Type.Object(pageQuery(perPage)),
  returns: pageOf(ApiKey),
  async handle({ db, actor, query }) {
    const page = pageFrom(query, perPage)
    const owner = { workspaceId: actor.workspaceId, applicationId: null }
    const { rows, total } = await listApiKeysPage(db, owner, page)
    return {
      message: 'API keys retrieved.',
      data: rows.map(apiKeyResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
