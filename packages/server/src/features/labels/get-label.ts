import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireLabel } from './label.db.ts'
import { SingleLabel } from './label.ts'

export const getLabel = endpoint({
  method: 'GET',
  path: '/applications/:application_id/labels/:label_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a label of the application or of its workspace by id or name',
  params: Type.Object({
    application_id: ApplicationId,
    label_identifier: PathId('Id or name of the label.'),
  }),
  returns: one(SingleLabel),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    return { application, label: await requireLabel(db, owner, params.label_identifier) }
  },
  async handle({ application, label }) {
    const application_id = label.level === 'application' ? application.id : null
    return {
      message: 'Label retrieved.',
      data: { ...label, application_id, workspace_id: application.workspace_id },
    }
  },
})
