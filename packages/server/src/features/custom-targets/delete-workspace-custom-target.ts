import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { removeCustomTarget } from './change-custom-target.ts'
import { requireWorkspaceCustomTarget } from './custom-target.db.ts'

export const deleteWorkspaceCustomTarget = endpoint({
  method: 'DELETE',
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a custom target that all applications share',
  params: Type.Object({ target_identifier: PathId('Id or name of the custom target.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    return {
      customTarget: await requireWorkspaceCustomTarget(db, actor.workspaceId, params.target_identifier),
    }
  },
  async handle({ customTarget, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    await removeCustomTarget(call, home, customTarget)
    return { message: 'Custom target deleted.' }
  },
})
