import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'

export const deleteWorkspaceLogo = endpoint({
  method: 'DELETE',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Take the logo of the workspace away',
  returns: Message,
  async handle(call) {
    await changeWorkspaceLogo(call, null)
    return { message: 'Logo deleted.' }
  },
})
