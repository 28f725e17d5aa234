import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changePortalIcon } from './change-portal.ts'
import { requirePortalOfPath } from './portal.db.ts'
import { Portal, PortalId } from './portal.ts'

export const replacePortalIcon = endpoint({
  method: 'PUT',
  path: '/portals/:portal_id/icon',
  scope: { workspace: 'portals:write' },
  summary: 'Upload a portal icon',
  description: 'Replaces the icon of the portal. The image is sent in the request body, encoded as Base64.',
  params: Type.Object({ portal_id: PortalId }),
  body: NewIcon,
  refuses: [...spaceProblems, ...storageProblems],
  returns: one(Portal),
  load: requirePortalOfPath,
  async handle({ portal: { id }, body, ...call }) {
    const icon = await storeIcon(call, body)
    return { message: 'Icon uploaded.', data: await changePortalIcon(call, id, icon) }
  },
})
