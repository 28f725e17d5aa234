import { Type } from 'typebox'
import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireApplicationOfPath } from '../applications/application.db.ts'
import { listActiveStreams } from './stream.db.ts'
import { Stream } from './stream.ts'

export const listStreams = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'List the active streams of an application',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(Stream),
  visible: requireApplicationOfPath,
  async handle({ db, application }) {
    return { message: 'Streams retrieved.', data: await listActiveStreams(db, application.id) }
  },
})
