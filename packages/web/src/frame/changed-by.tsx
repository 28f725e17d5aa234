import { Modal } from '@mantine/core'
import type { AuditEntry, ChangeEvent } from '@quayside/sdk'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { changedFields, type ChangedField } from '../features/builds/activity/changed-fields.ts'
import { changedByText as text } from '../text/changed-by.ts'
import { useReturnFocus } from '../ui/focus/use-return-focus.ts'
import { RelativeTime } from '../ui/format/relative-time.tsx'
import { showAction } from '../ui/toast.tsx'
import classes from './changed-by.module.css'

/** The audit entry of a change has the time of its transaction, which can begin before the change is recorded. */
const maxDifferenceMs = 10_000

/** Says who changed what the page shows, unless the person did, and shows the change on request. */
export function ChangedBy({ change }: { change: ChangeEvent }) {
  const { user, can } = useSession()
  const [shown, setShown] = useState<AuditEntry>()
  const mayRead = can('workspace:read')
  const { type, id, application_id: applicationId, changed_at: changedAt } = change
  useEffect(() => {
    if (!mayRead) return undefined
    const controller = new AbortController()
    findEntry({ type, id, applicationId, changedAt }, controller.signal)
      .then((entry) => {
        if (controller.signal.aborted || entry === undefined || isHidden(entry, user.id)) return
        showAction(text.message(entry.actor.name, phraseOf(entry)), text.show, () => setShown(entry), 'blue')
      })
      // Without the hint, the page still shows the change.
      .catch(() => undefined)
    return () => controller.abort()
  }, [type, id, applicationId, changedAt, mayRead, user.id])
  return shown === undefined ? null : <ChangeDialog entry={shown} onClose={() => setShown(undefined)} />
}

type Subject = { type: string; id: string; applicationId: string | null; changedAt: string }

/** Returns the audit entry of a change. */
async function findEntry({ type, id, applicationId, changedAt }: Subject, signal: AbortSignal) {
  const { data } = await api.listAuditLog(
    {
      ...(applicationId === null ? {} : { application: applicationId }),
      subject_type: type,
      subject_id: id,
      sort: 'desc',
      per_page: 1,
    },
    { signal },
  )
  const [entry] = data
  const difference = Math.abs(Date.parse(entry?.created_at ?? '') - Date.parse(changedAt))
  return difference < maxDifferenceMs ? entry : undefined
}

const isHidden = ({ actor }: AuditEntry, userId: string): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.id === userId)

/** Returns what was done, such as "changed the notes". */
function phraseOf({ action, subject, before, after }: AuditEntry): string {
  const [, verb = ''] = action.split('.')
  const noun = subject.type.replaceAll('_', ' ')
  // Actions on a part have the form `icon_replaced`.
  const [, part, done] = /^(.+)_([^_]+)$/.exec(verb) ?? []
  if (part !== undefined) return `${done} the ${part.replaceAll('_', ' ')}`
  if (verb !== 'updated') return `${verb} this ${noun}`
  const fields = changedFields(before, after).map(({ field }) => field)
  return fields.length === 0 ? `changed this ${noun}` : text.changed(fields)
}

function ChangeDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  useReturnFocus()
  const fields = changedFields(entry.before, entry.after)
  return (
    <Modal opened onClose={onClose} title={text.title(entry.actor.name)} size="lg">
      <p className={classes.time}>
        <RelativeTime time={entry.created_at} />
      </p>
      {fields.length === 0 && <p className={classes.time}>{text.noFields}</p>}
      {fields.map((field) => (
        <Field key={field.field} {...field} />
      ))}
    </Modal>
  )
}

function Field({ field, before, after }: ChangedField) {
  return (
    <section className={classes.field}>
      <h3 className={classes.name}>{field}</h3>
      {before !== undefined && <del className={classes.before}>{before}</del>}
      <ins className={classes.after}>{after}</ins>
    </section>
  )
}
