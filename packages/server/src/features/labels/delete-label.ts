import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { removeLabel, requireLabelOfPath, requireLockedLabel } from './label.db.ts'
import {
  labelAuditSnapshot,
  LabelIdentifier,
  labelOfWorkspace,
  requireOwnLabel,
  type LoadedLabel,
} from './label.ts'

const definition = {
  method: 'DELETE',
  description:
    'Removes the label from builds and releases. Webhooks that are limited to this label are deleted with it.',
  returns: Message,
  load: requireLabelOfPath,
  async handle({ owner, label, ...call }: Call & LoadedLabel) {
    requireOwnLabel(owner, label)
    const alongWith = await inTransaction(call.db, async (tx) => {
      const before = await requireLockedLabel(tx, owner, label.id)
      const webhooks = await call.dependents.deleteWebhooksOf(tx, call, { label_id: label.id })
      await removeLabel(tx, label.id)
      await recordEvent(tx, call, {
        action: 'label.deleted',
        applicationId: owner.applicationId,
        subject: { type: 'label', id: label.id },
        before: labelAuditSnapshot(before),
      })
      return webhooks
    })
    return { message: `Label deleted${alongWith}.` }
  },
} as const

export const deleteLabel = endpoint({
  ...definition,
  path: '/applications/:application_id/labels/:label_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a label',
  params: Type.Object({ application_id: ApplicationId, label_identifier: LabelIdentifier }),
  refuses: [labelOfWorkspace],
})

export const deleteWorkspaceLabel = endpoint({
  ...definition,
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a workspace label',
  params: Type.Object({ label_identifier: LabelIdentifier }),
})
