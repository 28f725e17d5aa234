import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listRepositoryKeyRows } from './repository-key.db.ts'
import { RepositoryKey, repositoryKeyResource } from './repository-key.ts'

export const listRepositoryKeys = endpoint({
  method: 'GET',
  path: '/workspace/repository-keys',
  scope: { workspace: 'workspace:read' },
  summary: 'List repository keys',
  description:
    'Lists the keys with which the indexes of package repositories are signed, the current ones first. The server creates the first key of each kind when a repository that needs it is read for the first time.',
  returns: listOf(RepositoryKey),
  async handle({ db, actor }) {
    const rows = await listRepositoryKeyRows(db, actor.workspaceId)
    return { message: 'Repository keys retrieved.', data: rows.map(repositoryKeyResource) }
  },
})
