import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changePortal } from './change-portal.ts'
import { findVerifiedPortal, setPortalDomain, savePortal, requirePortalOfPath } from './portal.db.ts'
import {
  domainTaken,
  Portal,
  PortalChanges,
  PortalId,
  readColor,
  readCustomDomain,
  readVisitors,
  takenNameProblems,
  takenNames,
} from './portal.ts'

export const updatePortal = endpoint({
  method: 'PATCH',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:write' },
  summary: 'Update a portal',
  description: 'Changes only the given fields. A changed custom domain must be verified again.',
  params: Type.Object({ portal_id: PortalId }),
  body: PortalChanges,
  refuses: [...takenNameProblems],
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const { custom_domain: newDomain, ...changes } = givenChanges(PortalChanges, body)
    const { accent_color: color, allowed_visitors: visitors } = changes
    if (color !== undefined) changes.accent_color = readColor(color)
    if (visitors !== undefined) changes.allowed_visitors = readVisitors(visitors)
    const domain = newDomain === undefined ? undefined : readCustomDomain(newDomain, call.config)
    const data = await conflictsAs(takenNames, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, { id, action: 'portal.updated' }, async (before) => {
          if (Object.keys(changes).length > 0) await savePortal(tx, id, changes)
          if (domain === undefined || domain === before.custom_domain) return
          if (domain !== null && (await findVerifiedPortal(tx, domain)) !== undefined) throw domainTaken()
          await setPortalDomain(tx, id, domain)
        }),
      ),
    )
    return { message: 'Portal updated.', data }
  },
})
