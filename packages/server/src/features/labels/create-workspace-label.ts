import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { makeLabel } from './change-label.ts'
import { NewLabel, SingleLabel } from './label.ts'

export const createWorkspaceLabel = endpoint({
  method: 'POST',
  path: '/workspace/labels',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a label that all applications share',
  body: NewLabel,
  status: 201,
  returns: one(SingleLabel),
  async handle({ body, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    return { message: 'Label created.', data: await makeLabel(call, home, body) }
  },
})
