import { endpoint } from '../../http/endpoint.ts'
import { one } from '../../http/responses.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'
import { Workspace } from './workspace.ts'

export const replaceWorkspaceLogo = endpoint({
  method: 'PUT',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Upload the workspace logo',
  body: NewIcon,
  returns: one(Workspace),
  async handle({ body, ...call }) {
    const logo = await storeIcon(call, body)
    return { message: 'Logo uploaded.', data: await changeWorkspaceLogo(call, logo) }
  },
})
