import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireCustomTarget } from './custom-target.db.ts'

export const deleteCustomTargetIcon = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/custom-targets/:target_identifier/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Take the icon of a custom target of an application away',
  params: Type.Object({
    application_id: ApplicationId,
    target_identifier: PathId('Id or name of the custom target.'),
  }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, customTarget: await requireCustomTarget(db, home, params.target_identifier) }
  },
  async handle({ home, customTarget, ...call }) {
    await changeCustomTargetIcon(call, home, customTarget, null)
    return { message: 'Icon deleted.' }
  },
})
