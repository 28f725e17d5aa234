import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { CreatedApiKey, NewApiKey } from './api-key.ts'
import { issueApiKey } from './issue-api-key.ts'

export const createApplicationApiKey = endpoint({
  method: 'POST',
  path: '/applications/:application_id/api-keys',
  scope: { workspace: 'api_keys:create' },
  summary: 'Create a key of one application',
  description: 'The key is in this answer alone. A key cannot make one that may do more than itself.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewApiKey,
  status: 201,
  returns: one(CreatedApiKey),
  visible: requireApplicationOfPath,
  async handle({ application, ...call }) {
    const owner = { workspaceId: application.workspace_id, applicationId: application.id }
    return { message: 'API key created.', data: await issueApiKey(call, owner, call.body) }
  },
})
