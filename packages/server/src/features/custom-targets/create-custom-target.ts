import { Type, type Static } from 'typebox'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { findPlatform } from '../../catalog/platforms.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom } from '../../http/endpoint/changes.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { unknownPlatform } from '../platforms/platform.ts'
import { insertCustomTarget, requireNameIsNoId } from './custom-target.db.ts'
import {
  customTargetAuditSnapshot,
  nameIsId,
  nameTaken,
  NewCustomTarget,
  SingleCustomTarget,
  singleCustomTarget,
} from './custom-target.ts'

const definition = {
  method: 'POST',
  body: NewCustomTarget,
  status: 201,
  refuses: [nameTaken, nameIsId],
  returns: one(SingleCustomTarget),
  load: requireOwnerOfPath,
  async handle({ owner, body, ...call }: Call & { owner: OwnerRef; body: Static<typeof NewCustomTarget> }) {
    const { platform } = body
    await requirePlatform(call.db, owner, platform)
    const name = body.name.trim()
    const fields = { name, description: descriptionFrom(body.description), platform }
    const target = await conflictsAs({ custom_targets_name: () => nameTaken({ name }) }, () =>
      inTransaction(call.db, async (tx) => {
        await requireNameIsNoId(tx, owner, name)
        const row = await insertCustomTarget(tx, owner, fields)
        await recordEvent(tx, call, {
          action: 'custom_target.created',
          applicationId: owner.applicationId,
          subject: { type: 'custom_target', id: row.id },
          after: customTargetAuditSnapshot(row),
        })
        return row
      }),
    )
    return {
      message: 'Custom target created.',
      data: singleCustomTarget(target, owner, call.config.publicUrl),
    }
  },
} as const

export const createCustomTarget = endpoint({
  ...definition,
  path: '/applications/:application_id/custom-targets',
  scope: { workspace: 'applications:write', application: 'application:write' },
  summary: 'Create a custom target',
  description:
    'Creates a variant of a platform, such as a device type, that builds of the application can be assigned to.',
  params: Type.Object({ application_id: ApplicationId }),
})

export const createWorkspaceCustomTarget = endpoint({
  ...definition,
  path: '/workspace/custom-targets',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a workspace custom target',
  description: 'All applications of the workspace share the custom target.',
})

async function requirePlatform(db: Db, { applicationId }: OwnerRef, identifier: string): Promise<void> {
  if (findPlatform(identifier) === undefined) throw invalid({ platform: [unknownPlatform(identifier)] })
  if (applicationId === null) return
  if (!(await listAttachedPlatforms(db, applicationId)).includes(identifier))
    throw invalid({
      platform: [
        `"${identifier}" is not attached to this application. Add it to the platforms of the application first.`,
      ],
    })
}
