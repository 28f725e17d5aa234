import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { changePortal } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { updatePortalDomain, updatePortalRow } from './portal.db.ts'
import { Portal, PortalChanges, PortalId, readCustomDomain, takenNames } from './portal.ts'

export const updatePortal = endpoint({
  method: 'PATCH',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:write' },
  summary: 'Change a portal',
  params: Type.Object({ portal_id: PortalId }),
  body: PortalChanges,
  returns: one(Portal),
  visible: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const { custom_domain: given, ...changes } = givenChanges(PortalChanges, body)
    const domain = given === undefined ? undefined : readCustomDomain(given, call.config.publicUrl)
    const data = await conflictsAs(takenNames, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, { id, action: 'portal.updated' }, async (before) => {
          if (Object.keys(changes).length > 0) await updatePortalRow(tx, id, changes)
          if (domain !== undefined && domain !== before.custom_domain)
            await updatePortalDomain(tx, id, domain)
        }),
      ),
    )
    return { message: 'Portal updated.', data }
  },
})
