import { useQueryClient } from '@tanstack/react-query'
import { DropOverlay } from '../uploads/drop-overlay.tsx'
import { FileChooser } from '../uploads/file-chooser.tsx'
import { uploadQueue, useUploadQueue, useUploads } from '../uploads/upload-queue.ts'
import { UploadRow } from '../uploads/upload-row.tsx'
import { loadUploadTarget, rememberApplication } from '../uploads/upload-target.ts'
import { FirstBuild } from './first-build.tsx'

type Props = { applicationId: string; applicationName: string }

/** Uploads files that are chosen or dropped on the page. Shows a build that arrives from elsewhere, too. */
export function FirstFiles({ applicationId, applicationName }: Props) {
  const queryClient = useQueryClient()
  useUploadQueue()
  const uploads = useUploads()
  return (
    <>
      <FileChooser
        applicationName={applicationName}
        isCompact={uploads.length > 0}
        onFiles={(files) => {
          rememberApplication(applicationId)
          void loadUploadTarget(queryClient, applicationId).then((target) => uploadQueue.add(files, target))
        }}
      />
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
      {uploads.length === 0 && <FirstBuild applicationId={applicationId} />}
      <DropOverlay />
    </>
  )
}
