import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { notFound } from '../../lib/problem.ts'
import { requireApplication } from '../applications/application.db.ts'
import { findApiKey } from './api-key.db.ts'
import { apiKeyResource, revokeApiKey } from './issue-api-key.ts'

export const deleteApplicationApiKey = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/api-keys/:api_key_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Revoke a key of an application',
  description: 'Refused on every node within a second. Revoking again answers the same.',
  params: Type.Object({ application_id: ApplicationId, api_key_id: PathId('Id of the key.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = { workspaceId: application.workspace_id, applicationId: application.id }
    const key = await findApiKey(db, owner, params.api_key_id)
    if (key === undefined) throw notFound()
    return { owner, key: apiKeyResource(key) }
  },
  async handle({ owner, key, ...call }) {
    await revokeApiKey(call, owner, key)
    return { message: 'API key revoked.' }
  },
})
