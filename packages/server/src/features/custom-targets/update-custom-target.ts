import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { changeCustomTarget } from './change-custom-target.ts'
import { requireCustomTarget } from './custom-target.db.ts'
import { CustomTargetChanges, CustomTarget } from './custom-target.ts'

export const updateCustomTarget = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/custom-targets/:target_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Change a custom target of an application',
  params: Type.Object({
    application_id: ApplicationId,
    target_identifier: PathId('Id or name of the custom target.'),
  }),
  body: CustomTargetChanges,
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, customTarget: await requireCustomTarget(db, home, params.target_identifier) }
  },
  async handle({ home, customTarget, body, ...call }) {
    return {
      message: 'Custom target updated.',
      data: await changeCustomTarget(call, home, customTarget, body),
    }
  },
})
