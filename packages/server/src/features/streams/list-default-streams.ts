import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { listDefaultStreams as listRows } from './default-stream.db.ts'
import { Stream } from './stream.ts'

export const listDefaultStreams = endpoint({
  method: 'GET',
  path: '/workspace/default-streams',
  scope: { workspace: 'workspace:read' },
  summary: 'List the templates that are copied into each new application',
  returns: listOf(Stream),
  async handle({ db, actor }) {
    return { message: 'Default streams retrieved.', data: await listRows(db, actor.workspaceId) }
  },
})
