import type { FullBuild } from '@quayside/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../../api/session.ts'
import { storageText } from '../../../text/builds/build.ts'
import { ApplicationIcon } from '../../../ui/application-icon.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { LabelDot } from '../../../ui/status/label-dot.tsx'
import { applicationQuery } from '../../applications/application.queries.ts'
import { BranchCommit, RetentionCountdown, SourceRun } from '../build-cells.tsx'
import { versionText } from '../build.queries.ts'
import classes from './build-header.module.css'
import { BuildMenu } from './build-menu.tsx'
import { LabelEditor } from './label-editor.tsx'
import { MainAction } from './main-action.tsx'
import { ShareMenu } from './share-menu.tsx'

/** Shows what a build is, and what can be done with it. */
export function BuildHeader({ build }: { build: FullBuild }) {
  const applicationId = build.application_id
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { can } = useSession()
  return (
    <>
      <BackLink to="/applications/$applicationId" params={{ applicationId }}>
        Builds
      </BackLink>
      <PageHeader
        documentTitle={versionText(build)}
        icon={
          <ApplicationIcon name={application.name} url={build.icon_url ?? application.icon_url} size={44} />
        }
        title={
          <>
            {application.name} {build.version}
            {build.build_number !== null && <span className={classes.number}> ({build.build_number})</span>}
          </>
        }
        facts={
          <div className={classes.labels}>
            {build.labels.map(({ id, name, color }) => (
              <LabelDot key={id} name={name} color={color} />
            ))}
            {can('builds:write', applicationId) && <LabelEditor build={build} />}
          </div>
        }
        actions={
          <>
            <MainAction build={build} />
            <ShareMenu build={build} />
            <BuildMenu build={build} />
          </>
        }
      />
      <BuildFacts build={build} />
    </>
  )
}

function BuildSize({ build: { size_total_bytes: size, reused_bytes: reused } }: { build: FullBuild }) {
  const text = <span className="tabular">{formatBytes(size)}</span>
  return reused === 0 ? text : <Hint label={storageText.reused(reused, size)}>{text}</Hint>
}

function BuildFacts({ build }: { build: FullBuild }) {
  const { scm, custom_target: target, stream, application_id: applicationId } = build
  return (
    <div className={classes.facts}>
      <span>
        <PlatformIcon platform={build.platform} size={16} />
        {build.platform.name}
        {target !== null && ` · ${target.name}`}
      </span>
      <Link
        to="/applications/$applicationId"
        params={{ applicationId }}
        search={{ streams: stream.name.replaceAll(',', String.raw`\,`) }}
        title={`Builds in ${stream.name}`}
      >
        {stream.name}
      </Link>
      {(scm.scm_branch !== null || scm.scm_commit_sha !== null) && <BranchCommit build={build} />}
      <SourceRun build={build} />
      <BuildSize build={build} />
      <RelativeTime time={build.created_at} />
      <RetentionCountdown build={build} />
    </div>
  )
}
