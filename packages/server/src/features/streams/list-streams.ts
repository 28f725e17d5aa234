import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listActiveStreams } from './stream.db.ts'
import { Stream } from './stream.ts'

export const listStreams = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List streams',
  description: 'Lists the streams of the application with their retention.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Stream),
  load: requireApplicationOfPath,
  async handle({ db, application }) {
    return { message: 'Streams retrieved.', data: await listActiveStreams(db, application.id) }
  },
})
