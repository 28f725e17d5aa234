import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { countScimUsers, findScimToken } from './scim-token.db.ts'
import { scimBaseUrl, ScimSettings } from './scim-token.ts'

export const getScimSettings = endpoint({
  method: 'GET',
  path: '/workspace/scim-token',
  scope: { workspace: 'members:read' },
  summary: 'Get SCIM settings',
  description:
    'Returns the URL at which an identity provider manages members and teams with SCIM 2.0, and its token without the secret.',
  returns: one(ScimSettings),
  async handle({ db, actor: { workspaceId }, config }) {
    const [token, userCount] = [await findScimToken(db, workspaceId), await countScimUsers(db, workspaceId)]
    return {
      message: 'SCIM settings retrieved.',
      data: { base_url: scimBaseUrl(config), token: token ?? null, user_count: userCount },
    }
  },
})
