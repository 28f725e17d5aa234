import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { one } from '../../http/responses.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { Portal, PortalId, portalResource } from './portal.ts'

export const getPortal = endpoint({
  method: 'GET',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:read' },
  summary: 'Get a portal',
  params: Type.Object({ portal_id: PortalId }),
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal, ...call }) {
    return { message: 'Portal retrieved.', data: portalResource(portal, call) }
  },
})
