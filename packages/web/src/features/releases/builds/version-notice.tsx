import type { Build } from '@quayside/sdk'
import type { ReactNode } from 'react'
import { releaseText } from '../../../text/releases/release.ts'
import { IconAlertTriangle } from '../../../ui/icons/icons.ts'
import { findOtherVersions } from '../version.ts'
import classes from './version-notice.module.css'

type Props = {
  builds: readonly Build[]
  version: string
  /** What can be done about it. */
  action?: (others: readonly Build[]) => ReactNode
}

/** Warns if the version of a release is not that of its builds. */
export function VersionNotice({ builds, version, action }: Props) {
  const { others, arePreReleases } = findOtherVersions(builds, version)
  if (others.length === 0) return null
  return (
    <div className={classes.notice} role="status">
      <IconAlertTriangle size={17} aria-hidden />
      <span className={classes.text}>
        {releaseText.version[arePreReleases ? 'preReleases' : 'differs'](others.length, version)}
      </span>
      {action?.(others)}
    </div>
  )
}
