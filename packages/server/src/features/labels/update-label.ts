import { Type, type Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireLabelOfPath, requireLockedLabel, requireNameIsNoId, saveLabel } from './label.db.ts'
import {
  labelAuditSnapshot,
  LabelChanges,
  LabelIdentifier,
  labelOfWorkspace,
  labelResource,
  nameIsId,
  nameTaken,
  requireOwnLabel,
  SingleLabel,
  type LoadedLabel,
} from './label.ts'

const definition = {
  method: 'PATCH',
  body: LabelChanges,
  returns: one(SingleLabel),
  load: requireLabelOfPath,
  async handle({ owner, label, body, ...call }: Call & LoadedLabel & { body: Static<typeof LabelChanges> }) {
    requireOwnLabel(owner, label)
    const { color, ...rest } = givenChanges(LabelChanges, body)
    const changes = { ...rest, ...(color === undefined ? {} : { color: color.toLowerCase() }) }
    const changed = await conflictsAs(
      { labels_name: () => nameTaken({ name: changes.name ?? label.name }) },
      () =>
        inTransaction(call.db, async (tx) => {
          const before = await requireLockedLabel(tx, owner, label.id)
          if (changes.name !== undefined) await requireNameIsNoId(tx, owner, changes.name)
          const after = await saveLabel(tx, label.id, changes)
          await recordEvent(tx, call, {
            action: 'label.updated',
            applicationId: owner.applicationId,
            subject: { type: 'label', id: label.id },
            before: labelAuditSnapshot(before),
            after: labelAuditSnapshot(after),
          })
          return after
        }),
    )
    return { message: 'Label updated.', data: labelResource(changed, owner) }
  },
} as const

export const updateLabel = endpoint({
  ...definition,
  path: '/applications/:application_id/labels/:label_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update a label',
  description:
    'Changes only the given fields. Builds and releases that have the label keep it under its new name.',
  params: Type.Object({ application_id: ApplicationId, label_identifier: LabelIdentifier }),
  refuses: [nameTaken, nameIsId, labelOfWorkspace],
})

export const updateWorkspaceLabel = endpoint({
  ...definition,
  path: '/workspace/labels/:label_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Update a workspace label',
  description: 'Changes only the given fields, for every application of the workspace.',
  params: Type.Object({ label_identifier: LabelIdentifier }),
  refuses: [nameTaken, nameIsId],
})
