import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { changeCustomTarget } from './change-custom-target.ts'
import { requireWorkspaceCustomTarget } from './custom-target.db.ts'
import { CustomTargetChanges, CustomTarget } from './custom-target.ts'

export const updateWorkspaceCustomTarget = endpoint({
  method: 'PATCH',
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Change a custom target that all applications share',
  params: Type.Object({ target_identifier: PathId('Id or name of the custom target.') }),
  body: CustomTargetChanges,
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    return {
      customTarget: await requireWorkspaceCustomTarget(db, actor.workspaceId, params.target_identifier),
    }
  },
  async handle({ customTarget, body, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    return {
      message: 'Custom target updated.',
      data: await changeCustomTarget(call, home, customTarget, body),
    }
  },
})
