import type { ListedBuild } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { showFailure } from '../../ui/toast.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { DropOverlay } from '../uploads/drop-overlay.tsx'
import { FileChooser } from '../uploads/file-chooser.tsx'
import { NeededPlatforms } from '../uploads/needed-platforms.tsx'
import { uploadFiles, useUploadQueue, useUploads } from '../uploads/upload-queue.ts'
import { UploadRow } from '../uploads/upload-row.tsx'
import { rememberApplication } from '../uploads/upload-target.ts'
import { FirstBuild, WaitingForBuild } from './first-build.tsx'

type Props = {
  applicationId: string
  applicationName: string
  /** Undefined until there is one. */
  firstBuild: ListedBuild | undefined
}

/** Uploads files that are chosen or dropped on the page. Shows the first build, which may also arrive from elsewhere. */
export function FirstFiles({ applicationId, applicationName, firstBuild }: Props) {
  const queryClient = useQueryClient()
  const { data: application } = useQuery(applicationQuery(applicationId))
  useUploadQueue()
  const uploads = useUploads().filter(({ build }) => build === null || build.id !== firstBuild?.id)
  return (
    <>
      {firstBuild !== undefined && (
        <FirstBuild applicationId={applicationId} applicationName={applicationName} build={firstBuild} />
      )}
      <FileChooser
        applicationName={applicationName}
        platforms={application?.platforms.map(({ identifier }) => identifier)}
        isCompact={firstBuild !== undefined || uploads.length > 0}
        onFiles={(files) => {
          rememberApplication(applicationId)
          void uploadFiles(queryClient, applicationId, files).catch(showFailure)
        }}
      />
      <NeededPlatforms uploads={uploads} />
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
      {firstBuild === undefined && uploads.length === 0 && <WaitingForBuild />}
      <DropOverlay />
    </>
  )
}
