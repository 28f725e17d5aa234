import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireCustomTarget } from './custom-target.db.ts'
import { CustomTarget, customTargetResource } from './custom-target.ts'

export const getCustomTarget = endpoint({
  method: 'GET',
  path: '/applications/:application_id/custom-targets/:target_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a custom target of the application or of its workspace by id or name',
  params: Type.Object({
    application_id: ApplicationId,
    target_identifier: PathId('Id or name of the custom target.'),
  }),
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = { workspaceId: application.workspace_id, applicationId: application.id }
    return { customTarget: await requireCustomTarget(db, owner, params.target_identifier) }
  },
  async handle({ config, customTarget }) {
    return { message: 'Custom target retrieved.', data: customTargetResource(customTarget, config.publicUrl) }
  },
})
