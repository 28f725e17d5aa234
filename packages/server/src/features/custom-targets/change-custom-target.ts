import type { Static } from 'typebox'
import { findPlatform } from '../../catalog/platforms.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom, givenChanges } from '../../http/changes.ts'
import type { Call } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { changeIcon } from '../icons/icon.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import {
  deleteCustomTargetRow,
  insertCustomTarget,
  requireLockedCustomTarget,
  updateCustomTargetRow,
  type TargetHome,
} from './custom-target.db.ts'
import {
  belongsToWorkspace,
  CustomTargetChanges,
  customTargetResource,
  inUse,
  nameTaken,
  type CustomTargetRow,
  type NewCustomTarget,
} from './custom-target.ts'

// What the custom targets of both levels share.

const facts = ({ name, description, platform }: CustomTargetRow) => ({ name, description, platform })

export const subject = (id: string) => ({ type: 'custom_target' as const, id })

export async function makeCustomTarget(call: Call, home: TargetHome, wish: Static<typeof NewCustomTarget>) {
  await requirePlatform(call.db, home, wish.platform)
  const { platform } = wish
  const description = descriptionFrom(wish.description)
  const fields = { name: wish.name.trim(), description, platform }
  return conflictsAs({ custom_targets_name: () => nameTaken(fields.name) }, () =>
    inTransaction(call.db, async (tx) => {
      const target = await insertCustomTarget(tx, home, fields)
      await recordEvent(tx, call, {
        action: 'custom_target.created',
        applicationId: home.applicationId,
        subject: subject(target.id),
        after: facts(target),
      })
      return customTargetResource(target, call.config.publicUrl)
    }),
  )
}

export async function changeCustomTarget(
  call: Call,
  home: TargetHome,
  target: CustomTargetRow,
  body: Static<typeof CustomTargetChanges>,
) {
  requireOfHome(home, target)
  const changes = givenChanges(CustomTargetChanges, body)
  return conflictsAs({ custom_targets_name: () => nameTaken(changes.name ?? target.name) }, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedCustomTarget(tx, home, target.id)
      const after = await updateCustomTargetRow(tx, target.id, changes)
      await recordEvent(tx, call, {
        action: 'custom_target.updated',
        applicationId: home.applicationId,
        subject: subject(target.id),
        before: facts(before),
        after: facts(after),
      })
      return customTargetResource(after, call.config.publicUrl)
    }),
  )
}

export async function removeCustomTarget(
  call: Call,
  home: TargetHome,
  target: CustomTargetRow,
): Promise<void> {
  requireOfHome(home, target)
  await conflictsAs({ builds_custom_target_id_workspace_id_platform_fkey: inUse }, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedCustomTarget(tx, home, target.id)
      await deleteCustomTargetRow(tx, target.id)
      await changeIcon(tx, before.icon_object_key, null)
      await recordEvent(tx, call, {
        action: 'custom_target.deleted',
        applicationId: home.applicationId,
        subject: subject(target.id),
        before: facts(before),
      })
    }),
  )
}

/** Lifts a target of an application to its workspace; its builds go on referring to it. */
export async function liftCustomTarget(call: Call, home: TargetHome, target: CustomTargetRow) {
  requireOfHome(home, target)
  return conflictsAs({ custom_targets_name: () => nameTaken(target.name) }, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedCustomTarget(tx, home, target.id)
      const after = await updateCustomTargetRow(tx, target.id, { application_id: null })
      await recordEvent(tx, call, {
        action: 'custom_target.promoted',
        applicationId: home.applicationId,
        subject: subject(target.id),
        before: { ...facts(before), level: before.level },
        after: { ...facts(after), level: after.level },
      })
      return customTargetResource(after, call.config.publicUrl)
    }),
  )
}

async function requirePlatform(db: Db, { applicationId }: TargetHome, slug: string): Promise<void> {
  if (findPlatform(slug) === undefined) throw invalid({ platform: [`"${slug}" is not a platform.`] })
  if (applicationId === null) return
  if (!(await listAttachedPlatforms(db, applicationId)).includes(slug))
    throw invalid({ platform: [`"${slug}" is not attached to this application.`] })
}

export function requireOfHome(home: TargetHome, target: CustomTargetRow): void {
  if (home.applicationId !== null && target.level === 'workspace') throw belongsToWorkspace()
}
