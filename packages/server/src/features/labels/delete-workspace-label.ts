import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { removeLabel } from './change-label.ts'
import { requireWorkspaceLabel } from './label.db.ts'

export const deleteWorkspaceLabel = endpoint({
  method: 'DELETE',
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a label that all applications share',
  description: 'Builds and releases lose it. Webhooks that heard of this label alone go with it.',
  params: Type.Object({ label_identifier: PathId('Id or name of the label.') }),
  returns: Message,
  async visible({ db, actor, params }) {
    return { label: await requireWorkspaceLabel(db, actor.workspaceId, params.label_identifier) }
  },
  async handle({ label, ...call }) {
    const home = { workspaceId: call.actor.workspaceId, applicationId: null }
    return removeLabel(call, home, label)
  },
})
