import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { changePortal } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { updatePortalRow } from './portal.db.ts'
import { Portal, PortalChanges, PortalId, subdomainTaken } from './portal.ts'

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
    const changes = givenChanges(PortalChanges, body)
    const data = await conflictsAs({ portals_subdomain: subdomainTaken }, () =>
      inTransaction(call.db, (tx) =>
        changePortal(tx, call, { id, action: 'portal.updated' }, () => updatePortalRow(tx, id, changes)),
      ),
    )
    return { message: 'Portal updated.', data }
  },
})
