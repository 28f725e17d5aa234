import { Skeleton } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { formatBytes } from '../../ui/bytes.ts'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './build-card.module.css'
import { BranchCommit, BuildLabels, RetentionCountdown } from './build-cells.tsx'
import { BuildRowActions } from './build-row-actions.tsx'
import { BuildState } from './build-row.tsx'

type Props = { applicationId: string; build: ListedBuild | undefined }

/** The height of a card in pixels. All cards have the same height, so that the list never jumps. */
export const cardHeight = 104

/** A build in the list on a phone. */
export function BuildCard({ applicationId, build }: Props) {
  if (build === undefined)
    return (
      <div className={classes.card} aria-busy style={{ height: cardHeight }}>
        <Skeleton height={14} width="60%" />
        <Skeleton height={12} width="80%" />
        <Skeleton height={12} width="40%" />
      </div>
    )
  return (
    <div role="row" className={classes.card} style={{ height: cardHeight }}>
      <div className={classes.line} role="cell">
        <PlatformIcon platform={build.platform} />
        <Link
          to="/applications/$applicationId/builds/$buildId"
          params={{ applicationId, buildId: build.id }}
          className={classes.version}
        >
          {build.version}
          {build.build_number !== null && <span className={classes.soft}> ({build.build_number})</span>}
        </Link>
        <BuildState build={build} />
        <span className={classes.end}>
          <RetentionCountdown build={build} />
          <BuildRowActions applicationId={applicationId} build={build} />
        </span>
      </div>
      <div className={classes.line} role="cell">
        <span>{build.stream.name}</span>
        <BuildLabels build={build} />
      </div>
      <div className={classes.line} role="cell">
        <span className={classes.grow}>
          <BranchCommit build={build} />
        </span>
        <span className={classes.soft}>
          {formatBytes(build.size_total_bytes)} · <RelativeTime time={build.created_at} short />
        </span>
      </div>
    </div>
  )
}
