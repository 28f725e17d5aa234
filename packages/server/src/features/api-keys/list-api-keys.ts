import { Type, type Static } from 'typebox'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { pageFrom, pageOf, pageQuery, pagination } from '../../http/endpoint/pagination.ts'
import { listApiKeysPage } from './api-key.db.ts'
import { ApiKey, apiKeyResource } from './api-key.ts'

const perPage = 15

const query = Type.Object(pageQuery(perPage))

type Input = Call & { owner: OwnerRef; query: Static<typeof query> }

const definition = {
  method: 'GET',
  scope: { workspace: 'api_keys:read' },
  query,
  returns: pageOf(ApiKey),
  load: requireOwnerOfPath,
  async handle({ db, owner, ...input }: Input) {
    const page = pageFrom(input.query, perPage)
    const { rows, total } = await listApiKeysPage(db, owner, page)
    return {
      message: 'API keys retrieved.',
      data: rows.map(apiKeyResource),
      pagination: pagination(page, total, rows.length),
    }
  },
} as const

export const listApplicationApiKeys = endpoint({
  ...definition,
  path: '/applications/:application_id/api-keys',
  summary: 'List application API keys',
  description:
    'Includes revoked keys. Keys issued to CI runs in exchange for an OIDC token are removed one week after they expire.',
  params: Type.Object({ application_id: ApplicationId }),
})

export const listWorkspaceApiKeys = endpoint({
  ...definition,
  path: '/workspace/api-keys',
  summary: 'List workspace API keys',
  description: 'Includes revoked keys.',
})
