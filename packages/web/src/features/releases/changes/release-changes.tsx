import type { Build, FullRelease } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { releaseText } from '../../../text/releases/release.ts'
import { IconAlertTriangle } from '../../../ui/icons/icons.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { Section } from '../../../ui/section.tsx'
import { buildQuery, versionText } from '../../builds/build.queries.ts'
import { compareBuilds } from '../../builds/compare/compare-builds.ts'
import { SizeChange } from '../../builds/compare/file-sizes.tsx'
import { releaseChangesQuery } from './previous-release.queries.ts'
import classes from './release-changes.module.css'

/** How the builds of a release differ from those of the release before. Shows nothing for a first release. */
export function ReleaseChanges({ release }: { release: FullRelease }) {
  const { application_id: applicationId, id: releaseId, builds } = release
  const { data } = useQuery(releaseChangesQuery({ applicationId, releaseId, builds }))
  const pairs = (data?.pairs ?? []).filter(
    ({ build, before }) => before !== undefined && before.id !== build.id,
  )
  if (data?.previous === undefined || pairs.length === 0) return null
  const { previous } = data
  return (
    <Section
      title={releaseText.changes.title(previous.version)}
      actions={
        <Link
          to="/applications/$applicationId/releases/$releaseId"
          params={{ applicationId, releaseId: previous.id }}
          className={classes.previous}
        >
          {releaseText.changes.previous(previous.version)}
        </Link>
      }
    >
      <ul className={classes.pairs}>
        {pairs.map(
          ({ build, before }) =>
            before !== undefined && (
              <li key={build.id}>
                <BuildChange applicationId={applicationId} build={build} before={before} />
              </li>
            ),
        )}
      </ul>
    </Section>
  )
}

type Props = { applicationId: string; build: Build; before: Build }

function BuildChange({ applicationId, build, before }: Props) {
  const after = useQuery(buildQuery(applicationId, build.id))
  const earlier = useQuery(buildQuery(applicationId, before.id))
  const comparison =
    after.data === undefined || earlier.data === undefined
      ? undefined
      : compareBuilds(earlier.data, after.data)
  const { added = [], removed = [] } = comparison?.permissions ?? {}
  return (
    <>
      <div className={classes.line}>
        <PlatformIcon platform={build.platform} />
        <span className={classes.versions}>
          {versionText(before)} → {versionText(build)}
        </span>
        <SizeChange before={before.size_total_bytes} after={build.size_total_bytes} />
        {added.length + removed.length > 0 && (
          <span className={classes.permissions}>
            {releaseText.changes.permissions(added.length, removed.length)}
          </span>
        )}
        <Link
          to="/applications/$applicationId/builds/$buildId"
          params={{ applicationId, buildId: build.id }}
          search={{ tab: 'compare', with: before.id }}
          className={classes.compare}
          aria-label={releaseText.changes.compare(
            build.platform.name,
            versionText(before),
            versionText(build),
          )}
        >
          Compare
        </Link>
      </div>
      {comparison?.risks.map((risk) => (
        <p key={risk} className={classes.risk}>
          <IconAlertTriangle size={14} aria-hidden /> {risk}
        </p>
      ))}
    </>
  )
}
