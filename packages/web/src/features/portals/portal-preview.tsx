import { Skeleton } from '@mantine/core'
import type { Portal } from '@quayside/sdk'
import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { portalText } from '../../text/distribution/portals.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconFolder, IconLock } from '../../ui/icons/icons.ts'
import { applicationsQuery } from '../applications/application.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'
import classes from './portal-preview.module.css'
import { portalReleasesQuery } from './portal.queries.ts'

const shownReleases = 3

/** Shows what visitors of a portal see: the releases and streams of each application. */
export function PortalPreview({ portal }: { portal: Portal }) {
  const { data: releases } = useQuery(portalReleasesQuery(portal.id))
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const streams = useShownStreams(portal)
  const shown = portal.applications
    .map(({ id, name }) => ({
      id,
      name,
      iconUrl: applications.find((application) => application.id === id)?.icon_url ?? null,
      releases: (releases ?? []).filter((release) => release.application_id === id),
      streams: streams.get(id) ?? [],
    }))
    .filter((application) => application.releases.length + application.streams.length > 0)
  return (
    <aside className={classes.preview} aria-label="Preview">
      <div className={classes.caption}>What visitors see</div>
      <div className={classes.page}>
        <PreviewHead portal={portal} />
        {releases === undefined && <Skeleton height={120} />}
        {releases !== undefined && shown.length === 0 && (
          <p className={classes.nothing}>{portalText.emptyPreview}</p>
        )}
        {shown.map(({ id, name, iconUrl, releases: own, streams: names }) => (
          <section key={id} className={classes.application}>
            <h3 className={classes.title}>
              <ApplicationIcon name={name} url={iconUrl} size={20} />
              {name}
            </h3>
            <ul className={classes.list}>
              {own.slice(0, shownReleases).map((release) => (
                <li key={release.id}>
                  <span className={classes.text}>
                    <b>{release.version}</b> {release.title !== release.version && release.title}
                  </span>
                  <span className={classes.soft}>
                    <RelativeTime time={release.published_at} short />
                  </span>
                </li>
              ))}
              {own.length > shownReleases && (
                <li className={classes.soft}>{plural(own.length - shownReleases, 'older release')}</li>
              )}
              {names.map((stream) => (
                <li key={stream}>
                  <IconFolder size={15} aria-hidden />
                  <span className={classes.text}>Builds of {stream}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </aside>
  )
}

function PreviewHead({ portal }: { portal: Portal }) {
  return (
    <div className={classes.head}>
      <ApplicationIcon name={portal.name} url={portal.icon_url} size={48} />
      <div className={classes.name}>{portal.name}</div>
      {portal.description !== null && <div className={classes.soft}>{portal.description}</div>}
      {portal.type === 'private' && (
        <div className={classes.private}>
          <IconLock size={13} aria-hidden /> {portalText.types.private}
        </div>
      )}
    </div>
  )
}

/** Returns the names of the streams that a portal shows, by application. */
function useShownStreams({ applications }: Portal): Map<string, string[]> {
  const withStreams = applications.filter(({ streams_mode: mode }) => mode !== 'none')
  return useQueries({
    queries: withStreams.map(({ id }) => streamsQuery(id)),
    combine: (results) =>
      new Map(
        withStreams.map(({ id, streams_mode: mode, stream_ids: ids }, index) => [
          id,
          (results[index]?.data ?? [])
            .filter((stream) => mode === 'all' || ids.includes(stream.id))
            .map(({ name }) => name),
        ]),
      ),
  })
}
