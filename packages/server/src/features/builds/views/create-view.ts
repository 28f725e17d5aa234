import { Type } from 'typebox'
import { requireApplicationLock, requireApplicationOfPath } from '../../../access/application.db.ts'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { insertView, requireRoomForView } from './view.db.ts'
import {
  knownParameters,
  maxViews,
  NewView,
  ownerOf,
  requireViewAuthority,
  View,
  viewAuditSnapshot,
  viewErrors,
  viewNameTaken,
  viewProblems,
  viewResource,
} from './view.ts'

export const createView = endpoint({
  method: 'POST',
  path: '/applications/:application_id/views',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Create a saved view',
  description: `Saves filters, order, grouping and columns of the build list under a name. An application can have at most ${maxViews} team views, and a person ${maxViews} personal views in each application.`,
  params: Type.Object({ application_id: ApplicationId }),
  body: NewView,
  status: 201,
  refuses: viewProblems,
  returns: one(View),
  load: requireApplicationOfPath,
  check: async ({ application, db, actor, body }) => ({
    errors: await viewErrors(db, actor, application.id, body),
  }),
  async handle({ application, body, ...call }) {
    const owner = ownerOf(call.actor, body.visibility)
    requireViewAuthority(call.actor, owner)
    const view = await conflictsAs({ views_name: viewNameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        await requireApplicationLock(tx, application.id)
        await requireRoomForView(tx, application.id, owner)
        const row = await insertView(tx, application, {
          name: body.name.trim(),
          user_id: owner,
          query: knownParameters(body.query),
        })
        if (owner === null)
          await recordEvent(tx, call, {
            action: 'view.created',
            applicationId: application.id,
            subject: { type: 'view', id: row.id },
            after: viewAuditSnapshot(row),
          })
        return row
      }),
    )
    return { message: 'View created.', data: viewResource(view) }
  },
})
