import { Skeleton } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { releaseText } from '../../../text/releases/release.ts'
import { listOf } from '../../../ui/format/list.ts'
import { IconLink, IconMail, IconWorld } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { audienceQuery } from '../release.queries.ts'
import classes from './audience-summary.module.css'

/** Says who is notified when a release is published and where it becomes visible, or who was and where it is. */
export function AudienceSummary({ release }: { release: FullRelease }) {
  const { data, error } = useQuery(audienceQuery(release.application_id, release.id))
  if (error !== null) return <FailureBanner error={error} />
  if (data === undefined) return <Skeleton height={96} />
  const { to_notify_count: count, groups, portals, share_link_count: links } = data
  const notified = groups.filter(({ notify, is_active: isActive }) => notify && isActive)
  const shown = portals.filter(({ is_included: isIncluded }) => isIncluded)
  const reached = groups.filter(({ notified_count: before }) => before > 0)
  if (release.status === 'published') {
    const people = reached.reduce((sum, { notified_count: before }) => sum + before, 0)
    return (
      <ul className={classes.list}>
        <Line icon={<IconMail size={17} />}>
          <strong>{releaseText.audience.wereNotified(people)}</strong>{' '}
          {reached.length > 0 ? names(reached) : releaseText.audience.noGroups}
        </Line>
        <Line icon={<IconWorld size={17} />}>
          {shown.length === 0 ? releaseText.audience.notIncluded : `Included in ${names(shown)}`}
        </Line>
        <Line icon={<IconLink size={17} />}>{releaseText.audience.links(links)}</Line>
      </ul>
    )
  }
  return (
    <ul className={classes.list}>
      <Line icon={<IconMail size={17} />}>
        <strong>{releaseText.audience.notifiesNow(count)}</strong>{' '}
        {notified.length > 0 ? names(notified) : releaseText.audience.noGroups}
        {reached.length > 0 && ` ${releaseText.audience.alreadyNotified}`}
      </Line>
      <Line icon={<IconWorld size={17} />}>
        {shown.length === 0 ? releaseText.audience.notIncluded : `Included in ${names(shown)}`}
      </Line>
      <Line icon={<IconLink size={17} />}>{releaseText.audience.links(links)}</Line>
    </ul>
  )
}

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className={classes.line}>
    {icon}
    <span>{children}</span>
  </li>
)

const maxNames = 4

/** Returns the names as a list that ends with a period, such as `Testers, Press and 2 more.` */
function names(items: readonly { name: string }[]): string {
  const shown = items.slice(0, maxNames).map(({ name }) => name)
  return `${listOf(items.length > maxNames ? [...shown, `${items.length - maxNames} more`] : shown)}.`
}
