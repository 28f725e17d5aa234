import { listOf } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { listWorkspaceCustomTargets as listRows } from './custom-target.db.ts'
import { CustomTarget, customTargetResource } from './custom-target.ts'

export const listWorkspaceCustomTargets = endpoint({
  method: 'GET',
  path: '/workspace/custom-targets',
  scope: { workspace: 'workspace:read' },
  summary: 'List the custom targets that all applications share',
  returns: listOf(CustomTarget),
  async handle({ db, actor, config }) {
    const rows = await listRows(db, actor.workspaceId)
    return {
      message: 'Custom targets retrieved.',
      data: rows.map((row) => customTargetResource(row, config.publicUrl)),
    }
  },
})
