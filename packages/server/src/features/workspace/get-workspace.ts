import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireWorkspace } from './workspace.db.ts'
import { Workspace } from './workspace.ts'

export const getWorkspace = endpoint({
  method: 'GET',
  path: '/workspace',
  scope: { workspace: null, application: null },
  summary: 'Get the workspace of the key',
  returns: one(Workspace),
  async handle({ db, actor }) {
    const { id, name, subdomain, created_at, updated_at } = await requireWorkspace(db, actor.workspaceId)
    return {
      message: 'Workspace retrieved.',
      data: { id, name, subdomain, logo_url: null, created_at, updated_at },
    }
  },
})
