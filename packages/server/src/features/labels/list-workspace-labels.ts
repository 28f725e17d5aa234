import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { listWorkspaceLabels as listRows } from './label.db.ts'
import { Label } from './label.ts'

export const listWorkspaceLabels = endpoint({
  method: 'GET',
  path: '/workspace/labels',
  scope: { workspace: 'workspace:read' },
  summary: 'List the labels that all applications share',
  returns: listOf(Label),
  async handle({ db, actor }) {
    const rows = await listRows(db, actor.workspaceId)
    return { message: 'Labels retrieved.', data: rows }
  },
})
