import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { liftLabel } from './change-label.ts'
import { requireLabel } from './label.db.ts'
import { SingleLabel } from './label.ts'

export const promoteLabel = endpoint({
  method: 'POST',
  path: '/applications/:application_id/labels/:label_identifier/promote',
  scope: { workspace: 'workspace:write' },
  summary: 'Lift a label of an application to its workspace',
  description: 'Builds and releases keep it. 409 when the workspace has a label of that name.',
  params: Type.Object({
    application_id: ApplicationId,
    label_identifier: PathId('Id or name of the label.'),
  }),
  returns: one(SingleLabel),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, label: await requireLabel(db, home, params.label_identifier) }
  },
  async handle({ home, label, ...call }) {
    return { message: 'Label promoted.', data: await liftLabel(call, home, label) }
  },
})
