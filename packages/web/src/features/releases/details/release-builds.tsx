import { Button, Text } from '@mantine/core'
import type { Build, FullRelease } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { IconPlus } from '../../../ui/icons/icons.ts'
import { Section } from '../../../ui/section.tsx'
import { showDone, showFailure, showUndo } from '../../../ui/toast.tsx'
import { versionText } from '../../builds/build.queries.ts'
import { AddBuildsDialog } from '../builds/add-builds-dialog.tsx'
import { ReleaseBuildList } from '../builds/release-build-list.tsx'
import { VersionNotice } from '../builds/version-notice.tsx'
import { useReleaseTask } from '../release-task.ts'
import { releaseQuery } from '../release.queries.ts'
import { releasePath, useReleaseChange } from '../use-release-change.ts'

/** The builds of a release. They can be added, removed and downloaded. */
export function ReleaseBuilds({ release }: { release: FullRelease }) {
  const { task, start } = useReleaseTask()
  const { can } = useSession()
  const change = useReleaseChange(release)
  const { builds, version, application_id: applicationId } = release
  const canWrite = can('releases:write', applicationId)
  const remove = useBuildRemoval(release, change)
  return (
    <Section
      title={builds.length === 0 ? 'Builds' : `Builds · ${builds.length}`}
      actions={
        canWrite && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={14} />}
            onClick={() => start('add-builds')}
          >
            Add builds
          </Button>
        )
      }
    >
      <VersionNotice builds={builds} version={version} />
      {builds.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {releaseText.builds.none}
        </Text>
      ) : (
        <ReleaseBuildList
          applicationId={applicationId}
          builds={builds}
          version={version}
          withFiles
          onRemove={canWrite ? (build) => void remove(build) : undefined}
        />
      )}
      {task === 'add-builds' && canWrite && (
        <AddBuildsDialog
          applicationId={applicationId}
          existing={builds.map(({ id }) => id)}
          initialSearch=""
          onClose={() => start(undefined)}
          onAdd={async (added) => {
            const ids = [...builds, ...added].map(({ id }) => id)
            await change(() =>
              api.replaceReleaseBuilds({ ...releasePath(release), body: { build_ids: ids } }),
            )
            showDone(releaseText.builds.added(added.length))
          }}
        />
      )}
    </Section>
  )
}

/** Returns a function that removes a build, and shows the change at once. */
function useBuildRemoval(release: FullRelease, change: ReturnType<typeof useReleaseChange>) {
  const queryClient = useQueryClient()

  async function remove(build: Build): Promise<void> {
    const { queryKey } = releaseQuery(release.application_id, release.id)
    queryClient.setQueryData(queryKey, {
      ...release,
      builds: release.builds.filter(({ id }) => id !== build.id),
    })
    const buildPath = { ...releasePath(release), build_id: build.id }
    try {
      await change(() => api.removeReleaseBuild(buildPath))
      showUndo(releaseText.builds.removed(`${build.platform.name} ${versionText(build)}`), () =>
        change(() => api.addReleaseBuild(buildPath)),
      )
    } catch (error) {
      showFailure(error)
      await queryClient.invalidateQueries({ queryKey })
    }
  }

  return remove
}
