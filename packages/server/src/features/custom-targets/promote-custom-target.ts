import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { liftCustomTarget } from './change-custom-target.ts'
import { requireCustomTarget } from './custom-target.db.ts'
import { CustomTarget } from './custom-target.ts'

export const promoteCustomTarget = endpoint({
  method: 'POST',
  path: '/applications/:application_id/custom-targets/:target_identifier/promote',
  scope: { workspace: 'workspace:write' },
  summary: 'Lift a custom target of an application to its workspace',
  description: 'Builds go on referring to it. 409 when the workspace has a custom target of that name.',
  params: Type.Object({
    application_id: ApplicationId,
    target_identifier: PathId('Id or name of the custom target.'),
  }),
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, customTarget: await requireCustomTarget(db, home, params.target_identifier) }
  },
  async handle({ home, customTarget, ...call }) {
    return { message: 'Custom target promoted.', data: await liftCustomTarget(call, home, customTarget) }
  },
})
