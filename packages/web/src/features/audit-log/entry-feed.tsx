import { Button, Skeleton } from '@mantine/core'
import type { AuditEntry } from '@quayside/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { auditText } from '../../text/audit-log.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { dateFormat } from '../../ui/format/date-format.ts'
import { IconFilterOff, IconHistory } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { auditEntriesQuery } from './audit-log.queries.ts'
import { isAuditFiltered, type AuditSearch } from './audit-log.search.ts'
import classes from './entry-feed.module.css'
import { EntryRow, type EntryGroup } from './entry-row.tsx'

type Props = {
  search: AuditSearch
  onClear: () => void
  /** Whether each entry names its application. */
  withApplications?: boolean
  /** The level of the headings with the days. */
  dayHeading?: 'h2' | 'h3'
}

const day = dateFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

/** The entries of an audit log by day, newest first. */
export function EntryFeed({
  search,
  onClear,
  withApplications = false,
  dayHeading: DayHeading = 'h3',
}: Props) {
  const query = useInfiniteQuery(auditEntriesQuery(search))
  const { data: applications = [] } = useQuery(applicationsQuery)
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const isFiltered = isAuditFiltered(search)
  const applicationName = (id: string) =>
    withApplications ? applications.find((application) => application.id === id)?.name : undefined
  if (query.isPending)
    return (
      <div aria-busy>
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} height={36} mb={8} />
        ))}
      </div>
    )
  return (
    <>
      {query.error !== null && <FailureBanner error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && entries.length === 0 && (
        <EmptyState
          icon={isFiltered ? <IconFilterOff size={22} /> : <IconHistory size={22} />}
          title={isFiltered ? 'No changes match' : 'No changes yet'}
          action={
            isFiltered && (
              <Button variant="default" onClick={onClear}>
                Clear the filters
              </Button>
            )
          }
        >
          {isFiltered ? auditText.noMatch : auditText.empty}
        </EmptyState>
      )}
      <div data-stale={query.isPlaceholderData || undefined} className={classes.feed}>
        {[...Map.groupBy(entries, ({ created_at: at }) => day(new Date(at)))].map(([name, entriesOfDay]) => (
          <section key={name} aria-label={name}>
            <DayHeading className={classes.day}>{name}</DayHeading>
            <ul className={classes.list}>
              {grouped(entriesOfDay).map((group) => (
                <EntryRow key={group[0].id} group={group} applicationName={applicationName} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <LoadMore query={query}>Show older changes</LoadMore>
    </>
  )
}

/** Combines consecutive entries of the same actor and action, such as the uploads of a CI run. */
function grouped(entries: readonly AuditEntry[]): EntryGroup[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = []
  for (const entry of entries) {
    const [last] = groups.at(-1) ?? []
    const isSame =
      last?.action === entry.action &&
      last.actor.id === entry.actor.id &&
      last.actor.name === entry.actor.name &&
      last.application_id === entry.application_id
    if (isSame) groups.at(-1)?.push(entry)
    else groups.push([entry])
  }
  return groups
}
