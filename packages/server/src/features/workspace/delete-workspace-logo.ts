import { endpoint } from '../../http/endpoint.ts'
import { Message } from '../../http/responses.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'

export const deleteWorkspaceLogo = endpoint({
  method: 'DELETE',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete the workspace logo',
  returns: Message,
  async handle(call) {
    await changeWorkspaceLogo(call, null)
    return { message: 'Logo deleted.' }
  },
})
