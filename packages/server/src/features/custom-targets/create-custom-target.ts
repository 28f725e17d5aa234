import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { makeCustomTarget } from './change-custom-target.ts'
import { NewCustomTarget, CustomTarget } from './custom-target.ts'

export const createCustomTarget = endpoint({
  method: 'POST',
  path: '/applications/:application_id/custom-targets',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a custom target of an application',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewCustomTarget,
  status: 201,
  returns: one(CustomTarget),
  visible: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const home = { workspaceId: application.workspace_id, applicationId: application.id }
    return { message: 'Custom target created.', data: await makeCustomTarget(call, home, body) }
  },
})
