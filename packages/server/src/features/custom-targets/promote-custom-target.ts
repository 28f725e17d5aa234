import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireCustomTargetOfPath, requireLockedCustomTarget, saveCustomTarget } from './custom-target.db.ts'
import {
  customTargetAuditSnapshot,
  CustomTargetIdentifier,
  nameTaken,
  requireOwnCustomTarget,
  SingleCustomTarget,
  singleCustomTarget,
  targetOfWorkspace,
} from './custom-target.ts'

export const promoteCustomTarget = endpoint({
  method: 'POST',
  path: '/applications/:application_id/custom-targets/:target_identifier/promote',
  scope: { workspace: 'workspace:write' },
  summary: 'Promote a custom target',
  description:
    'Moves the custom target to the workspace. Builds keep it. Returns 409 if the workspace already has a custom target with this name.',
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
  refuses: [nameTaken, targetOfWorkspace],
  returns: one(SingleCustomTarget),
  load: requireCustomTargetOfPath,
  async handle({ owner, customTarget: target, ...call }) {
    requireOwnCustomTarget(owner, target)
    const promoted = await conflictsAs({ custom_targets_name: () => nameTaken({ name: target.name }) }, () =>
      inTransaction(call.db, async (tx) => {
        const before = await requireLockedCustomTarget(tx, owner, target.id)
        const after = await saveCustomTarget(tx, target.id, { application_id: null })
        await recordEvent(tx, call, {
          action: 'custom_target.promoted',
          applicationId: owner.applicationId,
          subject: { type: 'custom_target', id: target.id },
          before: { ...customTargetAuditSnapshot(before), level: before.level },
          after: { ...customTargetAuditSnapshot(after), level: after.level },
        })
        return after
      }),
    )
    return {
      message: 'Custom target promoted.',
      data: singleCustomTarget(promoted, owner, call.config.publicUrl),
    }
  },
})
