import { requireWorkspace } from '../../access/workspace.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { Workspace, workspaceResource } from './workspace.ts'

export const getWorkspace = endpoint({
  method: 'GET',
  path: '/workspace',
  scope: { workspace: null, application: null },
  summary: 'Get the workspace',
  description: 'Returns the workspace of the key. No scope is required.',
  returns: one(Workspace),
  async handle({ db, actor, config }) {
    const row = await requireWorkspace(db, actor.workspaceId)
    return { message: 'Workspace retrieved.', data: workspaceResource(row, config.publicUrl) }
  },
})
