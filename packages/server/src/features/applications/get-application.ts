import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { singleApplication, SingleApplication } from './application.ts'

export const getApplication = endpoint({
  method: 'GET',
  path: '/applications/:application_id',
  scope: { workspace: 'applications:read', application: null },
  summary: 'Get an application',
  description: 'Returns the name, description, icon and platforms of the application.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: one(SingleApplication),
  load: requireApplicationOfPath,
  async handle({ application, ...call }) {
    return { message: 'Application retrieved.', data: await singleApplication(call, application) }
  },
})
