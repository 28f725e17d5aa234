import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { applicationStores, ApplicationStores } from './custom-store.ts'

export const getCustomStore = endpoint({
  method: 'GET',
  path: '/applications/:application_id/custom-store',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get the custom store of an application',
  description:
    'Returns where the files of the application are stored outside the storage of the service. Keys are never returned.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: one(ApplicationStores),
  load: requireApplicationOfPath,
  async handle({ application, db }) {
    return { message: 'Custom store retrieved.', data: await applicationStores(db, application) }
  },
})
