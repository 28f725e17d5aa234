import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireViewOfPath } from './view.db.ts'
import { View, ViewId, viewResource } from './view.ts'

export const getView = endpoint({
  method: 'GET',
  path: '/applications/:application_id/views/:view_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a saved view',
  description: 'Returns a view of the team or one of your own. Views of other people do not exist for you.',
  params: Type.Object({ application_id: ApplicationId, view_id: ViewId }),
  returns: one(View),
  load: requireViewOfPath,
  handle: async ({ view }) => ({ message: 'View retrieved.', data: viewResource(view) }),
})
