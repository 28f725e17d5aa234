import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { removeLabel } from './change-label.ts'
import { requireLabel } from './label.db.ts'

export const deleteLabel = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/labels/:label_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a label of an application',
  description: 'Builds and releases lose it. Webhooks that heard of this label alone go with it.',
  params: Type.Object({
    application_id: ApplicationId,
    label_identifier: PathId('Id or name of the label.'),
  }),
  returns: Message,
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { home, label: await requireLabel(db, home, params.label_identifier) }
  },
  async handle({ home, label, ...call }) {
    return removeLabel(call, home, label)
  },
})
