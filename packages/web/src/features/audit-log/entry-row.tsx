import { Collapse, UnstyledButton } from '@mantine/core'
import type { AuditEntry } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconChevronRight, IconKey, IconSettings } from '../../ui/icons/icons.ts'
import { changedFields } from '../builds/activity/changed-fields.ts'
import { describeEntry, entryParts } from './describe-entry.ts'
import { EntryDetails } from './entry-details.tsx'
import classes from './entry-feed.module.css'
import { entryLink } from './entry-link.ts'

/** Consecutive entries of the same actor and action, newest first. Most often a single one. */
export type EntryGroup = readonly [AuditEntry, ...AuditEntry[]]

type Props = { group: EntryGroup; applicationName: (id: string) => string | undefined }

/** Who did what, with the changed fields on demand. A group opens to its entries. */
export function EntryRow({ group, applicationName }: Props) {
  const [entry] = group
  const application = entry.application_id === null ? undefined : applicationName(entry.application_id)
  return (
    <Row
      entry={entry}
      application={application}
      text={group.length > 1 ? describeEntry(entry, group.length) : <Sentence entry={entry} />}
      hint={group.length > 1 ? undefined : changeHint(entry)}
    >
      {group.length === 1 ? (
        <EntryDetails entry={entry} />
      ) : (
        <ul className={classes.list}>
          {group.map((each) => (
            <Row key={each.id} entry={each} text={<Sentence entry={each} />} hint={changeHint(each)} isNested>
              <EntryDetails entry={each} />
            </Row>
          ))}
        </ul>
      )}
    </Row>
  )
}

type RowProps = {
  entry: AuditEntry
  text: ReactNode
  hint: string | undefined
  application?: string | undefined
  isNested?: boolean
  children: ReactNode
}

function Row({ entry, text, hint, application, isNested = false, children }: RowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <li className={classes.entry} data-nested={isNested || undefined}>
      <div className={classes.line}>
        {!isNested && <ActorIcon actor={entry.actor} />}
        <span className={classes.text}>
          {!isNested && <b>{entry.actor.name}</b>} {text}
          {hint !== undefined && <span className={classes.hint}>{hint}</span>}
        </span>
        {application !== undefined && <span className={classes.application}>{application}</span>}
        <span className={classes.time}>
          <RelativeTime time={entry.created_at} short />
        </span>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Details: ${entry.actor.name} ${describeEntry(entry)}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronRight size={16} />
        </UnstyledButton>
      </div>
      <Collapse expanded={isOpen} id={id} transitionDuration={100}>
        {isOpen && <div className={classes.details}>{children}</div>}
      </Collapse>
    </li>
  )
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { lead, name } = entryParts(entry)
  const { can } = useSession()
  const link = entryLink(entry, can)
  return (
    <>
      {lead}{' '}
      {link === undefined || name === undefined ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <Link {...link} className={classes.name}>
          {name}
        </Link>
      )}
    </>
  )
}

const maxHintCharacters = 60

/** Returns the changed fields of an update in a few words, such as "stream: default → stable". */
function changeHint({ before, after }: AuditEntry): string | undefined {
  if (before === null || after === null) return undefined
  const changes = changedFields(before, after)
  const [first] = changes
  if (first === undefined) return undefined
  const text = `${first.field}: ${first.before ?? 'none'} → ${first.after}`
  return changes.length === 1 && text.length <= maxHintCharacters
    ? text
    : changes.map(({ field }) => field).join(', ')
}

function ActorIcon({ actor: { kind, name } }: Pick<AuditEntry, 'actor'>) {
  if (kind === 'user') return <ApplicationIcon name={name} url={null} round size={24} />
  const Icon = kind === 'system' ? IconSettings : IconKey
  return (
    <span className={classes.actorIcon}>
      <Icon size={15} aria-hidden />
    </span>
  )
}
