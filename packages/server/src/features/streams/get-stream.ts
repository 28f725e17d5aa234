import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId, PathId } from '../../http/fields.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireStream } from './stream.db.ts'
import { SingleStream } from './stream.ts'

export const getStream = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a stream by id or name',
  params: Type.Object({
    application_id: ApplicationId,
    stream_identifier: PathId('Id or name of the stream.'),
  }),
  returns: one(SingleStream),
  async visible({ db, actor, params }) {
    const application = await requireApplication(db, actor, params.application_id)
    return { application, stream: await requireStream(db, application.id, params.stream_identifier) }
  },
  async handle({ application, stream }) {
    const { id, workspace_id } = application
    return { message: 'Stream retrieved.', data: { ...stream, application_id: id, workspace_id } }
  },
})
