import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { makeCustomTarget } from './change-custom-target.ts'
import { NewCustomTarget, CustomTarget } from './custom-target.ts'

export const createWorkspaceCustomTarget = endpoint({
  method: 'POST',
  path: '/workspace/custom-targets',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a custom target that all applications share',
  body: NewCustomTarget,
  status: 201,
  returns: one(CustomTarget),
  async handle({ body, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    return { message: 'Custom target created.', data: await makeCustomTarget(call, home, body) }
  },
})
