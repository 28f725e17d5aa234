import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { makeLabel } from './change-label.ts'
import { NewLabel, SingleLabel } from './label.ts'

export const createLabel = endpoint({
  method: 'POST',
  path: '/applications/:application_id/labels',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a label of an application',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewLabel,
  status: 201,
  returns: one(SingleLabel),
  visible: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { message: 'Label created.', data: await makeLabel(call, home, body) }
  },
})
