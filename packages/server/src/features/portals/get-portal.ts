import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { Portal, PortalId, portalResource } from './portal.ts'

export const getPortal = endpoint({
  method: 'GET',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:read' },
  summary: 'Get a portal',
  description: 'Returns a portal with its applications and the state of its custom domain.',
  params: Type.Object({ portal_id: PortalId }),
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal, ...call }) {
    return { message: 'Portal retrieved.', data: portalResource(portal, call) }
  },
})
