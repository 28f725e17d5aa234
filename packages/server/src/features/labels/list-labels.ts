import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listLabelsOf } from './label.db.ts'
import { Label } from './label.ts'

export const listLabels = endpoint({
  method: 'GET',
  path: '/applications/:application_id/labels',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List the labels of an application and of its workspace',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Label),
  visible: requireApplicationOfPath,
  async handle({ db, application }) {
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    return { message: 'Labels retrieved.', data: await listLabelsOf(db, owner) }
  },
})
