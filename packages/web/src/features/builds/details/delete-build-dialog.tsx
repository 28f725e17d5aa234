import { List } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { buildText } from '../../../text/builds/build.ts'
import { confirmText } from '../../../text/confirmations.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { versionText } from '../build.queries.ts'

/** Asks before a build is deleted that a release contains or a share link offers. */
export function DeleteBuildDialog({ build, onClose }: { build: FullBuild; onClose: () => void }) {
  const queryClient = useQueryClient()
  const applicationId = build.application_id
  async function remove(): Promise<void> {
    await api.deleteBuild({ application_id: applicationId, build_id: build.id, force: true })
    showDone(buildText.delete.done)
    await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId) })
  }
  const releases = build.kept_by.flatMap((keeper) => keeper.releases ?? [])
  const links = build.kept_by.flatMap((keeper) => keeper.share_links ?? [])
  return (
    <ConfirmDialog
      title={confirmText.delete(versionText(build))}
      confirmLabel="Delete build"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      {buildText.delete.held}
      <List mt="xs" fz="sm">
        {releases.map(({ id, title, version }) => (
          <List.Item key={id}>
            Release{' '}
            <Link
              to="/applications/$applicationId/releases/$releaseId"
              params={{ applicationId, releaseId: id }}
            >
              {title} {version}
            </Link>
          </List.Item>
        ))}
        {links.length > 0 && (
          <List.Item>
            {links.length === 1 ? 'A share link' : `${links.length} share links`} with{' '}
            {links.reduce((sum, link) => sum + link.download_count, 0)} downloads
          </List.Item>
        )}
      </List>
    </ConfirmDialog>
  )
}
