import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changePortalIcon } from './change-portal.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { PortalId } from './portal.ts'

export const deletePortalIcon = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id/icon',
  scope: { workspace: 'portals:write' },
  summary: 'Delete a portal icon',
  description: 'Removes the icon. `icon_url` is `null` from then on.',
  params: Type.Object({ portal_id: PortalId }),
  returns: Message,
  load: requirePortalOfPath,
  async handle({ portal: { id }, ...call }) {
    await changePortalIcon(call, id, null)
    return { message: 'Icon deleted.' }
  },
})
