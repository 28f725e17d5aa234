import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changeWorkspaceLogo } from './change-workspace-logo.ts'

export const deleteWorkspaceLogo = endpoint({
  method: 'DELETE',
  path: '/workspace/logo',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete the workspace logo',
  description: 'Removes the logo. `logo_url` is `null` from then on.',
  returns: Message,
  async handle(call) {
    await changeWorkspaceLogo(call, null)
    return { message: 'Logo deleted.' }
  },
})
