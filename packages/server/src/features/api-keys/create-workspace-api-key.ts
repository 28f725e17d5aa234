import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { CreatedApiKey, NewApiKey } from './api-key.ts'
import { issueApiKey } from './issue-api-key.ts'

export const createWorkspaceApiKey = endpoint({
  method: 'POST',
  path: '/workspace/api-keys',
  scope: { workspace: 'api_keys:create' },
  summary: 'Create a workspace key',
  description: 'The key is in this answer alone. A key cannot make one that may do more than itself.',
  body: NewApiKey,
  status: 201,
  returns: one(CreatedApiKey),
  async handle(call) {
    const owner = { workspaceId: call.actor.workspaceId, applicationId: null }
    return { message: 'API key created.', data: await issueApiKey(call, owner, call.body) }
  },
})
