import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { notFound } from '../../lib/problem.ts'
import { findApiKey } from './api-key.db.ts'
import { apiKeyResource, revokeApiKey } from './issue-api-key.ts'

export const deleteWorkspaceApiKey = endpoint({
  method: 'DELETE',
  path: '/workspace/api-keys/:api_key_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Revoke a workspace key',
  description: 'Refused on every node within a second. Revoking again answers the same.',
  params: Type.Object({ api_key_id: PathId('Id of the key.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    const owner = { workspaceId: actor.workspaceId, applicationId: null }
    const key = await findApiKey(db, owner, params.api_key_id)
    if (key === undefined) throw notFound()
    return { owner, key: apiKeyResource(key) }
  },
  async handle({ owner, key, ...call }) {
    await revokeApiKey(call, owner, key)
    return { message: 'API key revoked.' }
  },
})
