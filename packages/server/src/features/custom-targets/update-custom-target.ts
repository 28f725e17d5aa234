import { Type, type Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import {
  requireCustomTargetOfPath,
  requireLockedCustomTarget,
  requireNameIsNoId,
  saveCustomTarget,
} from './custom-target.db.ts'
import {
  customTargetAuditSnapshot,
  CustomTargetChanges,
  CustomTargetIdentifier,
  nameIsId,
  nameTaken,
  requireOwnCustomTarget,
  SingleCustomTarget,
  singleCustomTarget,
  targetOfWorkspace,
  type LoadedCustomTarget,
} from './custom-target.ts'

type Changes = { body: Static<typeof CustomTargetChanges> }

const definition = {
  method: 'PATCH',
  body: CustomTargetChanges,
  returns: one(SingleCustomTarget),
  load: requireCustomTargetOfPath,
  async handle({ owner, customTarget, body, ...call }: Call & LoadedCustomTarget & Changes) {
    requireOwnCustomTarget(owner, customTarget)
    const { id } = customTarget
    const changes = givenChanges(CustomTargetChanges, body)
    const changed = await conflictsAs(
      { custom_targets_name: () => nameTaken({ name: changes.name ?? customTarget.name }) },
      () =>
        inTransaction(call.db, async (tx) => {
          const before = await requireLockedCustomTarget(tx, owner, id)
          if (changes.name !== undefined) await requireNameIsNoId(tx, owner, changes.name)
          const after = await saveCustomTarget(tx, id, changes)
          await recordEvent(tx, call, {
            action: 'custom_target.updated',
            applicationId: owner.applicationId,
            subject: { type: 'custom_target', id },
            before: customTargetAuditSnapshot(before),
            after: customTargetAuditSnapshot(after),
          })
          return after
        }),
    )
    return {
      message: 'Custom target updated.',
      data: singleCustomTarget(changed, owner, call.config.publicUrl),
    }
  },
} as const

export const updateCustomTarget = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets/:target_identifier',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Update a custom target',
  description: 'Changes only the given fields. Builds that are assigned to the target stay assigned.',
  params: Type.Object({ application_id: ApplicationId, target_identifier: CustomTargetIdentifier }),
  refuses: [nameTaken, nameIsId, targetOfWorkspace],
})

export const updateWorkspaceCustomTarget = endpoint({
  ...definition,
  path: '/workspace/custom-targets/:target_identifier',
  scope: { workspace: 'workspace:write' },
  summary: 'Update a workspace custom target',
  description: 'Changes only the given fields, for every application of the workspace.',
  params: Type.Object({ target_identifier: CustomTargetIdentifier }),
  refuses: [nameTaken, nameIsId],
})
