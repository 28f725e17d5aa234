import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { changeLabel } from './change-label.ts'
import { requireWorkspaceLabel } from './label.db.ts'
import { LabelChanges, SingleLabel } from './label.ts'

export const updateWorkspaceLabel = endpoint({
  method: 'PATCH',
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Change a label that all applications share',
  params: Type.Object({ label_identifier: PathId('Id or name of the label.') }),
  body: LabelChanges,
  returns: one(SingleLabel),
  async visible({ db, actor, params }) {
    return { label: await requireWorkspaceLabel(db, actor.workspaceId, params.label_identifier) }
  },
  async handle({ label, body, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    return { message: 'Label updated.', data: await changeLabel(call, home, label, body) }
  },
})
