import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listDefaultStreamsOf } from './default-stream.db.ts'
import { Stream } from './stream.ts'

export const listDefaultStreams = endpoint({
  method: 'GET',
  path: '/workspace/default-streams',
  scope: { workspace: 'workspace:read' },
  summary: 'List default streams',
  description: 'Default streams are copied into each new application.',
  returns: listOf(Stream),
  async handle({ db, actor }) {
    return { message: 'Default streams retrieved.', data: await listDefaultStreamsOf(db, actor.workspaceId) }
  },
})
