import type { Static } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { descriptionFrom, givenChanges } from '../../http/changes.ts'
import type { Call } from '../../http/endpoint.ts'
import { removeWebhooks, withWebhooks } from '../webhooks/webhook.ts'
import {
  deleteLabelRow,
  insertLabel,
  requireLockedLabel,
  updateLabelRow,
  type LabelHome,
  type LabelRow,
} from './label.db.ts'
import { belongsToWorkspace, colorFor, LabelChanges, nameTaken, type NewLabel } from './label.ts'

// What the labels of both levels share.

const single = (label: LabelRow, home: LabelHome) => ({
  ...label,
  application_id: home.applicationId,
  workspace_id: home.workspaceId,
})

const facts = ({ name, description, color }: LabelRow) => ({ name, description, color })

const subject = (id: string) => ({ type: 'label' as const, id })

export async function makeLabel(call: Call, home: LabelHome, wish: Static<typeof NewLabel>) {
  const name = wish.name.trim()
  const color = (wish.color ?? colorFor(name)).toLowerCase()
  const fields = { name, description: descriptionFrom(wish.description), color }
  return conflictsAs({ labels_name: () => nameTaken(name) }, () =>
    inTransaction(call.db, async (tx) => {
      const label = await insertLabel(tx, home, fields)
      await recordEvent(tx, call, {
        action: 'label.created',
        applicationId: home.applicationId,
        subject: subject(label.id),
        after: facts(label),
      })
      return single(label, home)
    }),
  )
}

export async function changeLabel(
  call: Call,
  home: LabelHome,
  label: LabelRow,
  body: Static<typeof LabelChanges>,
) {
  requireOfHome(home, label)
  const { color, ...rest } = givenChanges(LabelChanges, body)
  const changes = { ...rest, ...(color === undefined ? {} : { color: color.toLowerCase() }) }
  return conflictsAs({ labels_name: () => nameTaken(changes.name ?? label.name) }, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedLabel(tx, home, label.id)
      const after = await updateLabelRow(tx, label.id, changes)
      await recordEvent(tx, call, {
        action: 'label.updated',
        applicationId: home.applicationId,
        subject: subject(label.id),
        before: facts(before),
        after: facts(after),
      })
      return single(after, home)
    }),
  )
}

/** Answers what to tell the caller. */
export async function removeLabel(call: Call, home: LabelHome, label: LabelRow) {
  requireOfHome(home, label)
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedLabel(tx, home, label.id)
    const heard = await removeWebhooks(tx, call, { by: 'label_id', id: label.id })
    await deleteLabelRow(tx, label.id)
    await recordEvent(tx, call, {
      action: 'label.deleted',
      applicationId: home.applicationId,
      subject: subject(label.id),
      before: facts(before),
    })
    return { message: `Label deleted${withWebhooks(heard)}` }
  })
}

/** Lifts a label of an application to its workspace, with all that carries it. */
export async function liftLabel(call: Call, home: LabelHome, label: LabelRow) {
  requireOfHome(home, label)
  return conflictsAs({ labels_name: () => nameTaken(label.name) }, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedLabel(tx, home, label.id)
      const after = await updateLabelRow(tx, label.id, { application_id: null })
      await recordEvent(tx, call, {
        action: 'label.promoted',
        applicationId: home.applicationId,
        subject: subject(label.id),
        before: { ...facts(before), level: before.level },
        after: { ...facts(after), level: after.level },
      })
      return single(after, { ...home, applicationId: null })
    }),
  )
}

function requireOfHome(home: LabelHome, label: LabelRow): void {
  if (home.applicationId !== null && label.level === 'workspace') throw belongsToWorkspace()
}
