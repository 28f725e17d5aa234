import { Button, Menu } from '@mantine/core'
import type { PortalRelease } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { portalText } from '../../text/distribution/portals.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'
import { IconEyeOff, IconPlus } from '../../ui/icons/icons.ts'
import { RowMenu } from '../../ui/menu/row-menu.tsx'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import classes from './portal-release-list.module.css'
import type { PortalApplication } from './portal.queries.ts'
import { portalChanged, reloadPortals } from './portal.queries.ts'
import { PublishReleasesDialog } from './publish-releases-dialog.tsx'

type Props = {
  portalId: string
  application: PortalApplication
  releases: readonly PortalRelease[]
  canEdit: boolean
}

/** The releases of an application that were published individually in the portal. */
export function PortalReleaseList({ portalId, application, releases, canEdit }: Props) {
  const queryClient = useQueryClient()
  const [isPublishing, setIsPublishing] = useState(false)
  async function withdraw({ id, version }: PortalRelease): Promise<void> {
    await api.withdrawPortalRelease({ portal_id: portalId, release_id: id })
    await reloadPortals(queryClient)
    showUndo(portalText.withdrawn(version), () => publish(id))
  }
  async function publish(releaseId: string): Promise<void> {
    const { data } = await api.publishPortalRelease({ portal_id: portalId, body: { release_id: releaseId } })
    await portalChanged(queryClient, data)
  }
  return (
    <div className={classes.box}>
      {releases.length === 0 && <p className={classes.soft}>{portalText.noReleases}</p>}
      <ul className={classes.list} aria-label={`Releases of ${application.name}`}>
        {releases.map((release) => (
          <ReleaseItem
            key={release.id}
            applicationId={application.id}
            release={release}
            onWithdraw={canEdit ? () => void withdraw(release).catch(showFailure) : undefined}
          />
        ))}
      </ul>
      {canEdit && (
        <Button
          variant="subtle"
          size="xs"
          className={classes.publish}
          leftSection={<IconPlus size={15} />}
          onClick={() => setIsPublishing(true)}
        >
          Publish releases
        </Button>
      )}
      {isPublishing && (
        <PublishReleasesDialog
          application={application}
          published={releases}
          onPublish={publish}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </div>
  )
}

type ItemProps = {
  applicationId: string
  release: PortalRelease
  /** Undefined if the person may not change the portal. */
  onWithdraw: (() => void) | undefined
}

function ReleaseItem({ applicationId, release, onWithdraw }: ItemProps) {
  return (
    <li className={classes.release}>
      <Link
        to="/applications/$applicationId/releases/$releaseId"
        params={{ applicationId, releaseId: release.id }}
        className={classes.version}
      >
        {release.version}
      </Link>
      <span className={classes.title}>{release.title !== release.version && release.title}</span>
      <span className={classes.soft}>
        <RelativeTime time={release.published_at} />
      </span>
      {onWithdraw !== undefined && (
        <RowMenu label={`Actions for ${release.version}`}>
          <Menu.Item leftSection={<IconEyeOff size={16} />} onClick={onWithdraw}>
            Withdraw from the portal
          </Menu.Item>
        </RowMenu>
      )}
    </li>
  )
}
