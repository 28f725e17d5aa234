import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireStreamOfPath } from './stream.db.ts'
import { SingleStream, StreamParams } from './stream.ts'

export const getStream = endpoint({
  method: 'GET',
  path: '/applications/:application_id/streams/:stream_identifier',
  scope: { workspace: 'applications:read', application: 'application:read' },
  summary: 'Get a stream',
  description: 'Returns a stream by its ID or its name.',
  params: StreamParams,
  returns: one(SingleStream),
  load: requireStreamOfPath,
  async handle({ application, stream }) {
    const { id, workspace_id } = application
    return { message: 'Stream retrieved.', data: { ...stream, application_id: id, workspace_id } }
  },
})
