import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../../access/application.db.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { listApplicationViews } from './view.db.ts'
import { View, viewResource } from './view.ts'

export const listViews = endpoint({
  method: 'GET',
  path: '/applications/:application_id/views',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List saved views',
  description: 'Lists the saved views of the build list: those of the team and your personal ones.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(View),
  load: requireApplicationOfPath,
  handle: async ({ application, db, actor }) => ({
    message: 'Views retrieved.',
    data: (await listApplicationViews(db, actor, application.id)).map(viewResource),
  }),
})
