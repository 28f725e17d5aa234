import { Type } from 'typebox'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changeCustomTargetIcon } from './change-custom-target-icon.ts'
import { requireCustomTargetOfPath } from './custom-target.db.ts'
import { CustomTargetIdentifier, targetOfWorkspace, type LoadedCustomTarget } from './custom-target.ts'

const definition = {
  method: 'DELETE',
  returns: Message,
  load: requireCustomTargetOfPath,
  async handle(call: Call & LoadedCustomTarget) {
    await changeCustomTargetIcon(call, null)
    return { message: 'Icon deleted.' }
  },
} as const

export const deleteCustomTargetIcon = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets/:target_identifier/icon',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a custom target icon',
  description: 'Removes the icon of the target. Its `icon_url` is `null` from then on.',
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
  refuses: [targetOfWorkspace],
})

export const deleteWorkspaceCustomTargetIcon = endpoint({
  ...definition,
  path: '/workspace/custom-targets/:target_identifier/icon',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a workspace custom target icon',
  description: 'Removes the icon of the target in every application. Its `icon_url` is `null` from then on.',
  params: Type.Object({ target_identifier: CustomTargetIdentifier }),
})
