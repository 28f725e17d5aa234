import { Type } from 'typebox'
import { requireApplicationLock } from '../../../access/application.db.ts'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { givenChanges } from '../../../http/endpoint/changes.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireLockedView, requireRoomForView, requireViewOfPath, saveView } from './view.db.ts'
import {
  knownParameters,
  ownerOf,
  requireViewAuthority,
  View,
  viewAuditSnapshot,
  ViewChanges,
  viewErrors,
  ViewId,
  viewNameTaken,
  viewProblems,
  viewResource,
} from './view.ts'

export const updateView = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/views/:view_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Update a saved view',
  description:
    'Changes only the given fields. `query` replaces all parameters. A team view that becomes personal is yours, and nobody else sees it any more.',
  params: Type.Object({ application_id: ApplicationId, view_id: ViewId }),
  body: ViewChanges,
  refuses: viewProblems,
  returns: one(View),
  load: requireViewOfPath,
  check: async ({ application, db, actor, body }) => ({
    errors: await viewErrors(db, actor, application.id, body),
  }),
  async handle({ application, view, body, ...call }) {
    const { visibility, query, ...changes } = givenChanges(ViewChanges, body)
    const owner = visibility === undefined ? view.user_id : ownerOf(call.actor, visibility)
    requireViewAuthority(call.actor, view.user_id, owner)
    const updated = await conflictsAs({ views_name: viewNameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        await requireApplicationLock(tx, application.id)
        const before = await requireLockedView(tx, view.id, view.user_id)
        if (owner !== before.user_id) await requireRoomForView(tx, application.id, owner)
        const after = await saveView(tx, view.id, {
          ...changes,
          user_id: owner,
          ...(query === undefined ? {} : { query: knownParameters(query) }),
        })
        if (before.user_id === null || owner === null)
          await recordEvent(tx, call, {
            action: 'view.updated',
            applicationId: application.id,
            subject: { type: 'view', id: view.id },
            ...(before.user_id === null ? { before: viewAuditSnapshot(before) } : {}),
            after: viewAuditSnapshot(after),
          })
        return after
      }),
    )
    return { message: 'View updated.', data: viewResource(updated) }
  },
})
