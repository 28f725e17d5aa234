import { Skeleton, Title } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useSession } from '../../../api/session.ts'
import { checklistText } from '../../../text/releases/release-checklist.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import pageClasses from '../details/release-page.module.css'
import { ChecklistItems } from './checklist-items.tsx'
import classes from './checklist.module.css'
import { useChecklist } from './use-checklist.ts'

/** What is done and what is missing before a release is published. It never prevents the publication. */
export function ReleaseChecklist({ release }: { release: FullRelease }) {
  const { items, error } = useChecklist(release)
  const { can } = useSession()
  const counted = items?.filter(({ state }) => state !== 'none') ?? []
  const done = counted.filter(({ state }) => state === 'done').length
  return (
    <section className={pageClasses.card} aria-labelledby="release-checklist">
      <div className={classes.head}>
        <Title order={2} id="release-checklist" fz="sm">
          {checklistText.title}
        </Title>
        {items !== undefined && (
          <span className={`${classes.progress} tabular`}>
            {checklistText.progress(done, counted.length)}
          </span>
        )}
      </div>
      {error !== null && <FailureBanner error={error} />}
      {items === undefined ? (
        error === null && <Skeleton height={196} />
      ) : (
        <ChecklistItems
          release={release}
          items={items}
          canFix={release.status !== 'published' && can('releases:write', release.application_id)}
        />
      )}
    </section>
  )
}

/** The open items of the checklist, for the dialog that publishes the release. Shows nothing if there are none. */
export function OpenItems({ release }: { release: FullRelease }) {
  const open = useChecklist(release).items?.filter(({ state }) => state === 'open') ?? []
  if (open.length === 0) return null
  return (
    <div className={classes.openItems}>
      <p className={classes.openTitle}>
        {checklistText.openItems(open.length)} <span>{checklistText.neverBlocks}</span>
      </p>
      <ChecklistItems release={release} items={open} canFix />
    </div>
  )
}
