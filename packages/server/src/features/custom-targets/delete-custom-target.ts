import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { changeIcon } from '../icons/icon.ts'
import {
  removeCustomTarget,
  requireCustomTargetOfPath,
  requireLockedCustomTarget,
} from './custom-target.db.ts'
import {
  customTargetAuditSnapshot,
  CustomTargetIdentifier,
  requireOwnCustomTarget,
  targetOfWorkspace,
  type LoadedCustomTarget,
} from './custom-target.ts'

const definition = {
  method: 'DELETE',
  description: 'Returns 409 while a build uses the custom target, even if the build is in the trash.',
  returns: Message,
  load: requireCustomTargetOfPath,
  async handle({ owner, customTarget, ...call }: Call & LoadedCustomTarget) {
    requireOwnCustomTarget(owner, customTarget)
    const { id } = customTarget
    await conflictsAs({ builds_custom_target_id_workspace_id_platform_fkey: inUse }, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedCustomTarget(tx, owner, id)
        await removeCustomTarget(tx, id)
        await changeIcon(tx, before.icon_object_key, null)
        await recordEvent(tx, call, {
          action: 'custom_target.deleted',
          applicationId: owner.applicationId,
          subject: { type: 'custom_target', id },
          before: customTargetAuditSnapshot(before),
        })
      }),
    )
    return { message: 'Custom target deleted.' }
  },
} as const

const inUse = problem(
  'conflict',
  'custom_target.in_use',
  'Builds (including those in the trash) use this custom target. Assign them another custom target, or delete them and wait until they are purged.',
)

export const deleteCustomTarget = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets/:target_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Delete a custom target',
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
  refuses: [inUse, targetOfWorkspace],
})

export const deleteWorkspaceCustomTarget = endpoint({
  ...definition,
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Delete a workspace custom target',
  params: Type.Object({ target_identifier: CustomTargetIdentifier }),
  refuses: [inUse],
})
