import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { requireWorkspaceCustomTarget } from './custom-target.db.ts'
import { CustomTarget, customTargetResource } from './custom-target.ts'

export const getWorkspaceCustomTarget = endpoint({
  method: 'GET',
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:read' },
  summary: 'Get a custom target of the workspace by id or name',
  params: Type.Object({ target_identifier: PathId('Id or name of the custom target.') }),
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    return {
      customTarget: await requireWorkspaceCustomTarget(db, actor.workspaceId, params.target_identifier),
    }
  },
  async handle({ config, customTarget }) {
    return { message: 'Custom target retrieved.', data: customTargetResource(customTarget, config.publicUrl) }
  },
})
