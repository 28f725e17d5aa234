import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { NewIcon } from '../icons/icon.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireWorkspaceCustomTarget } from './custom-target.db.ts'
import { CustomTarget } from './custom-target.ts'

export const replaceWorkspaceCustomTargetIcon = endpoint({
  method: 'PUT',
  path: '/workspace/custom-targets/:target_identifier/icon',
  scope: { workspace: 'workspace:write' },
  summary: 'Give a custom target that all applications share an icon',
  params: Type.Object({ target_identifier: PathId('Id or name of the custom target.') }),
  body: NewIcon,
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    const home = { workspaceId: actor.workspaceId, applicationId: null }
    const customTarget = await requireWorkspaceCustomTarget(db, actor.workspaceId, params.target_identifier)
    return { home, customTarget }
  },
  async handle({ home, customTarget, body, ...call }) {
    return { message: 'Icon replaced.', data: await changeCustomTargetIcon(call, home, customTarget, body) }
  },
})
