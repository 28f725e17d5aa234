import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { NewIcon } from '../icons/icon.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireCustomTarget } from './custom-target.db.ts'
import { CustomTarget } from './custom-target.ts'

export const replaceCustomTargetIcon = endpoint({
  method: 'PUT',
  path: '/applications/:application_id/custom-targets/:target_identifier/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Give a custom target of an application an icon',
  params: Type.Object({
    application_id: ApplicationId,
    target_identifier: PathId('Id or name of the custom target.'),
  }),
  body: NewIcon,
  returns: one(CustomTarget),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, customTarget: await requireCustomTarget(db, home, params.target_identifier) }
  },
  async handle({ home, customTarget, body, ...call }) {
    return { message: 'Icon replaced.', data: await changeCustomTargetIcon(call, home, customTarget, body) }
  },
})
