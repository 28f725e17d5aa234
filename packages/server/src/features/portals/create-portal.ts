import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { findVerifiedPortal, insertPortal } from './portal.db.ts'
import {
  domainTaken,
  NewPortal,
  Portal,
  portalAuditSnapshot,
  portalResource,
  readColor,
  readCustomDomain,
  readVisitors,
  takenNameProblems,
  takenNames,
} from './portal.ts'

export const createPortal = endpoint({
  method: 'POST',
  path: '/portals',
  scope: { workspace: 'portals:write' },
  summary: 'Create a portal',
  description:
    'Several workspaces can claim a `custom_domain`. It belongs to the portal that verifies it first.',
  body: NewPortal,
  status: 201,
  refuses: [...takenNameProblems],
  returns: one(Portal),
  async handle({ body, ...call }) {
    const { type = 'private', subdomain = null, feedback_enabled = false } = body
    const description = descriptionFrom(body.description)
    const custom_domain = readCustomDomain(body.custom_domain ?? null, call.config)
    const fields = {
      name: body.name.trim(),
      description,
      type,
      subdomain,
      custom_domain,
      feedback_enabled,
      accent_color: readColor(body.accent_color ?? null),
      allowed_visitors: readVisitors(body.allowed_visitors ?? []),
    }
    const portal = await conflictsAs(takenNames, () =>
      inTransaction(call.db, async (tx) => {
        if (custom_domain !== null && (await findVerifiedPortal(tx, custom_domain)) !== undefined)
          throw domainTaken()
        const row = await insertPortal(tx, call.actor.workspaceId, fields)
        await recordEvent(tx, call, {
          action: 'portal.created',
          applicationId: null,
          subject: { type: 'portal', id: row.id },
          after: portalAuditSnapshot(row),
        })
        return row
      }),
    )
    return { message: 'Portal created.', data: portalResource(portal, call) }
  },
})
