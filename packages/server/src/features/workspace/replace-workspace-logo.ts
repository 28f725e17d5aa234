import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'
import { Workspace } from './workspace.ts'

export const replaceWorkspaceLogo = endpoint({
  method: 'PUT',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Give the workspace a logo',
  body: NewIcon,
  returns: one(Workspace),
  async handle({ body, ...call }) {
    const logo = await storeIcon(call, body)
    return { message: 'Logo replaced.', data: await changeWorkspaceLogo(call, logo) }
  },
})
