import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'
import { Workspace } from './workspace.ts'

export const replaceWorkspaceLogo = endpoint({
  method: 'PUT',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Upload the workspace logo',
  description:
    'Replaces the logo of the workspace. The image is sent in the request body, encoded as Base64.',
  body: NewIcon,
  refuses: [...spaceProblems, ...storageProblems],
  returns: one(Workspace),
  async handle({ body, ...call }) {
    const logo = await storeIcon(call, body)
    return { message: 'Logo uploaded.', data: await changeWorkspaceLogo(call, logo) }
  },
})
