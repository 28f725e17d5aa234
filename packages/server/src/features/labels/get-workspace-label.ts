import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { requireWorkspaceLabel } from './label.db.ts'
import { SingleLabel } from './label.ts'

export const getWorkspaceLabel = endpoint({
  method: 'GET',
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:read' },
  summary: 'Get a label of the workspace by id or name',
  params: Type.Object({ label_identifier: PathId('Id or name of the label.') }),
  returns: one(SingleLabel),
  async visible({ db, actor, params }) {
    return { label: await requireWorkspaceLabel(db, actor.workspaceId, params.label_identifier) }
  },
  async handle({ actor, label }) {
    return {
      message: 'Label retrieved.',
      data: { ...label, application_id: null, workspace_id: actor.workspaceId },
    }
  },
})
