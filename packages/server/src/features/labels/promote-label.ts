import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireLabelOfPath, requireLockedLabel, saveLabel } from './label.db.ts'
import {
  labelAuditSnapshot,
  LabelIdentifier,
  labelOfWorkspace,
  labelResource,
  nameTaken,
  requireOwnLabel,
  SingleLabel,
} from './label.ts'

export const promoteLabel = endpoint({
  method: 'POST',
  path: '/applications/:application_id/labels/:label_identifier/promote',
  scope: { workspace: 'workspace:write' },
  summary: 'Promote a label',
  description:
    'Moves the label to the workspace. Builds and releases keep it. Returns 409 if the workspace already has a label with this name.',
  params: Type.Object({ application_id: ApplicationId, label_identifier: LabelIdentifier }),
  refuses: [nameTaken, labelOfWorkspace],
  returns: one(SingleLabel),
  load: requireLabelOfPath,
  async handle({ owner, label, ...call }) {
    requireOwnLabel(owner, label)
    const promoted = await conflictsAs({ labels_name: () => nameTaken({ name: label.name }) }, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedLabel(tx, owner, label.id)
        const after = await saveLabel(tx, label.id, { application_id: null })
        await recordEvent(tx, call, {
          action: 'label.promoted',
          applicationId: owner.applicationId,
          subject: { type: 'label', id: label.id },
          before: { ...labelAuditSnapshot(before), level: before.level },
          after: { ...labelAuditSnapshot(after), level: after.level },
        })
        return after
      }),
    )
    return { message: 'Label promoted.', data: labelResource(promoted, owner) }
  },
})
