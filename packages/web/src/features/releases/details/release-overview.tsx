import { Title } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { serviceUrl } from '../../../api/browser.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { lazyOptional } from '../../../ui/loading/lazy.tsx'
import { Section } from '../../../ui/section.tsx'
import { ReleasePermalink } from '../../permalinks/release-permalink.tsx'
import { ReleaseChecklist } from '../checklist/release-checklist.tsx'
import { AudienceSummary } from './audience-summary.tsx'
import { ReleaseBuilds } from './release-builds.tsx'
import { ReleaseNotes } from './release-notes.tsx'
import classes from './release-page.module.css'

const ReleaseChanges = lazyOptional(
  async () => (await import('../changes/release-changes.tsx')).ReleaseChanges,
)

const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId')

/** The notes and builds of a release, and who gets it at a glance. */
export function ReleaseOverview({ release }: { release: FullRelease }) {
  const commands = {
    draft: 'publish',
    scheduled: 'publish',
    published: 'view',
    withdrawn: 'publish',
  } as const
  const { status, id, application_id: applicationId } = release
  const command = `quayside releases ${commands[status]} ${id} \\\n  --application ${applicationId} --server ${serviceUrl}`
  const checklist = <ReleaseChecklist release={release} />
  return (
    <div className={classes.columns}>
      <div>
        <ReleaseNotes release={release} />
        <ReleaseBuilds release={release} />
        <Suspense>
          <ReleaseChanges release={release} />
        </Suspense>
        {status === 'published' && release.builds.length > 0 && <ReleasePermalink release={release} />}
        <Section title="From a terminal">
          <CommandLine code={command} />
        </Section>
      </div>
      <aside className={classes.aside}>
        {status !== 'published' && checklist}
        <section className={classes.card} aria-labelledby="release-audience">
          <Title order={2} id="release-audience" fz="sm" mb="sm">
            {status === 'published' ? 'Audience' : 'When it is published'}
          </Title>
          <AudienceSummary release={release} />
          {status === 'published' ? (
            <route.Link to="." search={{ tab: 'reach' }} className={classes.cardLink}>
              Reach and adoption
            </route.Link>
          ) : (
            <route.Link to="." search={{ tab: 'audience' }} className={classes.cardLink}>
              Choose groups and portals
            </route.Link>
          )}
        </section>
        {status === 'published' && checklist}
        <Dates release={release} />
      </aside>
    </div>
  )
}

function Dates({ release }: { release: FullRelease }) {
  const { created_at, published_at, withdrawn_at, updated_at, id } = release
  const dates = [
    { name: 'Created', time: created_at },
    { name: 'Published', time: published_at },
    { name: 'Withdrawn', time: withdrawn_at },
    { name: 'Changed', time: updated_at === created_at ? null : updated_at },
  ]
  return (
    <FactList isDense>
      {dates.map(({ name, time }) => (
        <Fact key={name} name={name}>
          {time !== null && <RelativeTime time={time} />}
        </Fact>
      ))}
      <Fact name="ID">
        <Copyable value={id} label="release ID" mono />
      </Fact>
    </FactList>
  )
}
