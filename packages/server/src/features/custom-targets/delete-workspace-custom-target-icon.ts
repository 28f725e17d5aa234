import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireWorkspaceCustomTarget } from './custom-target.db.ts'

export const deleteWorkspaceCustomTargetIcon = endpoint({
  method: 'DELETE',
  path: '/workspace/custom-targets/:target_identifier/icon',
  scope: { workspace: 'workspace:write' },
  summary: 'Take the icon of a custom target that all applications share away',
  params: Type.Object({ target_identifier: PathId('Id or name of the custom target.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    const home = { workspaceId: actor.workspaceId, applicationId: null }
    const customTarget = await requireWorkspaceCustomTarget(db, actor.workspaceId, params.target_identifier)
    return { home, customTarget }
  },
  async handle({ home, customTarget, ...call }) {
    await changeCustomTargetIcon(call, home, customTarget, null)
    return { message: 'Icon deleted.' }
  },
})
