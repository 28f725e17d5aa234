import { Loader } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { buildText } from '../../text/builds/build.ts'
import { useNow } from '../../ui/format/now.ts'
import { absoluteTime, daysUntil } from '../../ui/format/time.ts'
import { Hint } from '../../ui/hint.tsx'
import { IconAlertTriangle, IconClock, IconGitBranch, IconLock } from '../../ui/icons/icons.ts'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import classes from './build-cells.module.css'
import { isProcessing } from './build.queries.ts'
import { shortSourceName, uploadSourceNames } from './upload-sources.ts'

/** Shows a branch and a commit, linked to where the code is hosted if that is known. */
export function BranchCommit({ build }: { build: Pick<ListedBuild, 'scm' | 'links'> }) {
  const { scm_branch: branch, scm_commit_sha: sha, scm_commit_sha_short: shortSha } = build.scm
  const url = build.links.scm_commit_url
  if (branch === null && sha === null) return <span className="soft">–</span>
  const commit = shortSha ?? sha?.slice(0, 7)
  return (
    <span className={classes.commit}>
      <IconGitBranch size={14} aria-hidden />
      {branch !== null && <span className={classes.text}>{branch}</span>}
      {commit !== undefined &&
        (url === null ? (
          <code>{commit}</code>
        ) : (
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            onClick={(event) => event.stopPropagation()}
          >
            <code>{commit}</code>
          </a>
        ))}
    </span>
  )
}

/** Shows which system uploaded a build, and its run, linked if the address is known. */
export function SourceRun({ build }: { build: Pick<ListedBuild, 'build_source' | 'ci_pipeline' | 'links'> }) {
  const name = uploadSourceNames[build.build_source] ?? build.build_source
  const run = build.ci_pipeline.ci_run_id
  const url = build.links.ci_run_url
  const text = (
    <>
      <span className={classes.text} title={name}>
        {shortSourceName(build.build_source)}
      </span>
      {run !== null && <span className={classes.run}>#{run}</span>}
    </>
  )
  return url === null ? (
    <span className={classes.source}>{text}</span>
  ) : (
    <a
      className={classes.source}
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </a>
  )
}

const shownLabels = 2

/** Shows the first labels of a build, and the others on hover. */
export function BuildLabels({ build: { labels } }: { build: Pick<ListedBuild, 'labels'> }) {
  const rest = labels.slice(shownLabels)
  return (
    <span className={classes.labels}>
      {labels.slice(0, shownLabels).map(({ id, name, color }) => (
        <LabelDot key={id} name={name} color={color} />
      ))}
      {rest.length > 0 && (
        <Hint label={rest.map(({ name }) => name).join(', ')}>
          <span className={classes.more}>+{rest.length}</span>
        </Hint>
      )}
    </span>
  )
}

const shownDays = 30

/** Shows how many days are left before retention takes a build, if these are 30 or fewer. */
export function RetentionCountdown({
  build,
}: {
  build: Pick<ListedBuild, 'expires_at' | 'keep_forever' | 'stream'>
}) {
  const now = useNow()
  const { expires_at: expiresAt, keep_forever: isKept, stream } = build
  if (isKept)
    return (
      <Hint label="Kept forever: retention does not apply">
        <IconLock size={14} className="soft" role="img" aria-label="Kept forever" />
      </Hint>
    )
  if (expiresAt === null) return null
  const days = daysUntil(expiresAt, now)
  if (days > shownDays) return null
  const text = days < 1 ? 'today' : `${days} d`
  return (
    <Hint
      multiline
      w={260}
      label={buildText.countdown(stream.name, stream.retention_days, absoluteTime(expiresAt))}
    >
      <span className={classes.countdown} data-soon={days < 7 || undefined}>
        <IconClock size={13} aria-hidden />
        {text}
      </span>
    </Hint>
  )
}

/** Says that the package is still being read, or could not be read. */
export function BuildState({ build }: { build: ListedBuild }) {
  if (isProcessing(build))
    return (
      <span className={classes.state}>
        <Loader size={11} /> {buildText.processing.state}
      </span>
    )
  if (build.processing_error === null) return null
  return (
    <Hint label={build.processing_error} multiline w={280}>
      <span className={classes.state} data-failed>
        <IconAlertTriangle size={15} role="img" aria-label="The package could not be read" />
      </span>
    </Hint>
  )
}
