import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { changePortalIcon } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { PortalId } from './portal.ts'

export const deletePortalIcon = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id/icon',
  scope: { workspace: 'portals:write' },
  summary: 'Take the icon of a portal away',
  params: Type.Object({ portal_id: PortalId }),
  returns: Message,
  visible: requirePortalOfPath,
  async handle({ portal: { id }, ...call }) {
    await changePortalIcon(call, id, null)
    return { message: 'Icon deleted.' }
  },
})
