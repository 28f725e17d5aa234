import { Type, type Static } from 'typebox'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { insertLabel, requireNameIsNoId } from './label.db.ts'
import {
  colorFor,
  labelAuditSnapshot,
  labelResource,
  nameIsId,
  nameTaken,
  NewLabel,
  SingleLabel,
} from './label.ts'

const definition = {
  method: 'POST',
  body: NewLabel,
  status: 201,
  refuses: [nameTaken, nameIsId],
  returns: one(SingleLabel),
  load: requireOwnerOfPath,
  async handle({ owner, body, ...call }: Call & { owner: OwnerRef; body: Static<typeof NewLabel> }) {
    const name = body.name.trim()
    const color = (body.color ?? colorFor(name)).toLowerCase()
    const fields = { name, description: descriptionFrom(body.description), color }
    const label = await conflictsAs({ labels_name: () => nameTaken({ name }) }, () =>
      inTransaction(call.db, async (tx) => {
        await requireNameIsNoId(tx, owner, name)
        const row = await insertLabel(tx, owner, fields)
        await recordEvent(tx, call, {
          action: 'label.created',
          applicationId: owner.applicationId,
          subject: { type: 'label', id: row.id },
          after: labelAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Label created.', data: labelResource(label, owner) }
  },
} as const

export const createLabel = endpoint({
  ...definition,
  path: '/applications/:application_id/labels',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a label',
  description:
    'Creates a label for builds and releases of the application. Its name must be unique within the application.',
  params: Type.Object({ application_id: ApplicationId }),
})

export const createWorkspaceLabel = endpoint({
  ...definition,
  path: '/workspace/labels',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a workspace label',
  description: 'All applications of the workspace share the label.',
})
