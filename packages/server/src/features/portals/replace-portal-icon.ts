import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changePortalIcon } from './change-portal.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { Portal, PortalId } from './portal.ts'

export const replacePortalIcon = endpoint({
  method: 'PUT',
  path: '/portals/:portal_id/icon',
  scope: { workspace: 'portals:write' },
  summary: 'Give a portal an icon',
  params: Type.Object({ portal_id: PortalId }),
  body: NewIcon,
  returns: one(Portal),
  visible: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const icon = await storeIcon(call, body)
    return { message: 'Icon replaced.', data: await changePortalIcon(call, id, icon) }
  },
})
