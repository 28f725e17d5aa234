import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { listOf } from '../../http/responses.ts'
import { listActiveStreams } from './stream.db.ts'
import { Stream } from './stream.ts'

export const listStreams = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List streams',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Stream),
  load: requireApplicationOfPath,
  async handle({ db, application }) {
    return { message: 'Streams retrieved.', data: await listActiveStreams(db, application.id) }
  },
})
