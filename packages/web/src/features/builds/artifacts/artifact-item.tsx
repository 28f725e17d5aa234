import { ActionIcon } from '@mantine/core'
import type { FullBuild, MetadataArtifact } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { confirmText } from '../../../text/confirmations.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { IconChevronDown, IconChevronRight, IconDownload, IconTrash } from '../../../ui/icons/icons.ts'
import { lazyPart } from '../../../ui/loading/lazy-part.ts'
import { showFailure } from '../../../ui/toast.tsx'
import { buildQuery } from '../build.queries.ts'
import { TabSkeleton } from '../details/tab-skeleton.tsx'
import { startDownload } from '../download-build.ts'
import classes from './artifacts.module.css'

const ArtifactViewer = lazyPart(async () => (await import('./artifact-viewer.tsx')).ArtifactViewer)

type Props = { artifact: MetadataArtifact; build: FullBuild }

/** An artifact, which can be opened in place. */
export function ArtifactItem({ artifact, build }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const { can } = useSession()
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        <ArtifactButton artifact={artifact} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        <DownloadButton artifact={artifact} build={build} />
        {can('builds:write', build.application_id) && (
          <Hint label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete ${artifact.filename}`}
              onClick={() => setIsDeleting(true)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Hint>
        )}
      </div>
      {isOpen && (
        <div className={classes.viewer}>
          <Suspense fallback={<TabSkeleton />}>
            <ArtifactViewer artifact={artifact} build={build} />
          </Suspense>
        </div>
      )}
      {isDeleting && (
        <DeleteArtifactDialog artifact={artifact} build={build} onClose={() => setIsDeleting(false)} />
      )}
    </li>
  )
}

type ButtonProps = { artifact: MetadataArtifact; isOpen: boolean; onToggle: () => void }

function ArtifactButton({ artifact, isOpen, onToggle }: ButtonProps) {
  const details = [
    artifact.format === null ? artifact.metadata_filetype.name : buildText.artifacts.formats[artifact.format],
    formatBytes(artifact.size_bytes),
    artifact.description,
  ]
  return (
    <button type="button" className={classes.open} aria-expanded={isOpen} onClick={onToggle}>
      <span className={classes.name}>{artifact.filename}</span>
      <span className={classes.meta}>{details.filter((part) => part !== null).join(' · ')}</span>
      {artifact.checksum_error !== null && (
        <span className={classes.damaged}>
          {buildText.files.damaged}: {artifact.checksum_error}
        </span>
      )}
    </button>
  )
}

function DownloadButton({ artifact, build }: Props) {
  async function download(): Promise<void> {
    try {
      startDownload((await api.getBuildMetadataDownload(idsOf({ artifact, build }))).temp_url)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <Hint label="Download">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Download ${artifact.filename}`}
        onClick={() => void download()}
      >
        <IconDownload size={16} />
      </ActionIcon>
    </Hint>
  )
}

function DeleteArtifactDialog({ artifact, build, onClose }: Props & { onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={confirmText.delete(artifact.filename)}
      confirmLabel="Delete artifact"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.deleteBuildMetadata(idsOf({ artifact, build }))
        await queryClient.invalidateQueries({
          queryKey: buildQuery(build.application_id, build.id).queryKey,
        })
      }}
    >
      {buildText.artifacts.deleteWarning}
    </ConfirmDialog>
  )
}

const idsOf = ({ artifact, build }: Props) => ({
  application_id: build.application_id,
  build_id: build.id,
  artifact_id: artifact.id,
})
