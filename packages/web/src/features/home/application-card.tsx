import type { WorkspaceStatistics } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { isShortHistory } from '../../ui/charts/chart-history.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { versionText } from '../builds/build.queries.ts'
import classes from './application-card.module.css'

type Summary = WorkspaceStatistics['applications'][number]

const shownPlatforms = 4

/** An application with the newest build of each platform and its uploads of the last days. */
export function ApplicationCard({ application }: { application: Summary }) {
  const { id, name, icon_url: iconUrl, newest_builds: builds, uploads } = application
  const { sample_application_id: sampleId } = useSession()
  const uploadCount = uploads.reduce((sum, count) => sum + count, 0)
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <ApplicationIcon name={name} url={iconUrl} size={40} />
        <div className={classes.text}>
          <h2 className={classes.name}>
            <Link to="/applications/$applicationId" params={{ applicationId: id }} className={classes.link}>
              {name}
            </Link>
          </h2>
          <span className={classes.soft}>
            {id === sampleId && 'Example data · '}
            {plural(application.build_count, 'build')} · {formatBytes(application.stored_bytes)} stored
          </span>
        </div>
      </div>
      <ul className={classes.builds}>
        {builds.length === 0 && <li className={classes.soft}>No builds yet</li>}
        {builds.slice(0, shownPlatforms).map((build) => (
          <li key={build.platform.identifier}>
            <Link
              to="/applications/$applicationId/builds/$buildId"
              params={{ applicationId: id, buildId: build.id }}
              className={classes.build}
            >
              <PlatformIcon platform={build.platform} size={16} />
              <span className={classes.version}>{versionText(build)}</span>
              <span className={classes.soft}>
                <RelativeTime time={build.created_at} short />
              </span>
            </Link>
          </li>
        ))}
        {builds.length > shownPlatforms && (
          <li className={classes.soft}>{plural(builds.length - shownPlatforms, 'more platform')}</li>
        )}
      </ul>
      <div className={classes.chart}>
        {!isShortHistory([{ values: uploads }]) && (
          <Sparkline values={uploads} label={`${plural(uploadCount, 'upload')} in ${uploads.length} days`} />
        )}
        <span className={classes.soft}>
          {plural(uploadCount, 'upload')} in {uploads.length} days
        </span>
      </div>
    </article>
  )
}
