import { ActionIcon } from '@mantine/core'
import type { Build } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { releaseText } from '../../../text/releases/release.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { IconAlertTriangle, IconDownload, IconX } from '../../../ui/icons/icons.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { BranchCommit } from '../../builds/build-cells.tsx'
import { buildQuery, versionText } from '../../builds/build.queries.ts'
import { downloadBuild } from '../../builds/download-build.ts'
import { isOtherVersion } from '../version.ts'
import classes from './release-build-list.module.css'

type Props = {
  applicationId: string
  builds: readonly Build[]
  /** The version of the release. Builds of other versions are marked. */
  version: string
  /** Whether each build shows its file with checksum and download. */
  withFiles?: boolean
  /** Undefined if the person may not remove builds. */
  onRemove?: ((build: Build) => void) | undefined
}

/** The builds of a release by platform. */
export function ReleaseBuildList({ applicationId, builds, version, withFiles = false, onRemove }: Props) {
  const platforms = [...Map.groupBy(builds, ({ platform }) => platform.identifier).values()].toSorted(
    ([one], [other]) => (one?.platform.name ?? '').localeCompare(other?.platform.name ?? ''),
  )
  return (
    <div className={classes.platforms}>
      {platforms.map((ofPlatform) => {
        const platform = ofPlatform[0]?.platform
        if (platform === undefined) return null
        return (
          <section key={platform.identifier} aria-label={platform.name} className={classes.platform}>
            <div className={classes.name}>
              <PlatformIcon platform={platform} />
              {platform.short_name}
            </div>
            <ul className={classes.builds}>
              {ofPlatform.map((build) => (
                <li key={build.id} className={classes.build}>
                  <div className={classes.lines}>
                    <BuildLine build={build} applicationId={applicationId} version={version} />
                    {withFiles && <FileLine build={build} applicationId={applicationId} />}
                  </div>
                  <span className={classes.actions}>
                    {withFiles && (
                      <Hint label="Download">
                        <ActionIcon
                          variant="default"
                          size="lg"
                          aria-label={`Download ${platform.name} ${versionText(build)}`}
                          onClick={() => void downloadBuild(applicationId, build.id)}
                        >
                          <IconDownload size={17} />
                        </ActionIcon>
                      </Hint>
                    )}
                    {onRemove !== undefined && (
                      <Hint label="Remove from the release">
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size="lg"
                          aria-label={`Remove ${platform.name} ${versionText(build)}`}
                          onClick={() => onRemove(build)}
                        >
                          <IconX size={17} />
                        </ActionIcon>
                      </Hint>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

type LineProps = { applicationId: string; build: Build }

function BuildLine({ applicationId, build, version }: LineProps & { version: string }) {
  return (
    <span className={classes.line}>
      <Link
        to="/applications/$applicationId/builds/$buildId"
        params={{ applicationId, buildId: build.id }}
        className={classes.version}
      >
        {versionText(build)}
      </Link>
      {version !== '' && isOtherVersion(build, version) && (
        <Hint label={releaseText.version.differsBuild(version)}>
          <IconAlertTriangle
            size={15}
            color="var(--q-warn)"
            role="img"
            aria-label={releaseText.version.differsBuild(version)}
          />
        </Hint>
      )}
      {build.custom_target !== null && <span>{build.custom_target.name}</span>}
      <span className={classes.soft}>{build.stream.name}</span>
      <BranchCommit build={build} />
      <span className={`${classes.soft} tabular`}>
        {formatBytes(build.size_total_bytes)} · <RelativeTime time={build.created_at} short />
      </span>
    </span>
  )
}

/** The primary file with its SHA-256 checksum. */
function FileLine({ applicationId, build }: LineProps) {
  const { data } = useQuery(buildQuery(applicationId, build.id))
  const file = data?.primary_file
  return (
    <span className={classes.file}>
      {file === undefined ? (
        '\u00A0'
      ) : (
        <>
          <span className={classes.fileName}>{file.filename}</span>
          {file.checksum_sha256 !== null && (
            <Copyable value={file.checksum_sha256} label="SHA-256" mono>
              SHA-256 {file.checksum_sha256.slice(0, 12)}…
            </Copyable>
          )}
        </>
      )}
    </span>
  )
}
