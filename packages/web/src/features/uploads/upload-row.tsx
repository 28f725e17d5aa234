import { Text } from '@mantine/core'
import { useState } from 'react'
import { uploadText } from '../../text/builds/upload.ts'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { IconCheck } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { BlockedError } from '../../upload/put-blob.ts'
import { FileGoneError } from '../../upload/upload-source.ts'
import { isEditable, type Upload } from '../../upload/upload.ts'
import { ApplicationField } from './application-field.tsx'
import { UploadActions } from './upload-actions.tsx'
import { UploadFieldInputs } from './upload-field-inputs.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { uploadQueue } from './upload-queue.ts'
import classes from './upload-row.module.css'
import { UploadedBuildActions, UploadedBuildCode } from './uploaded-build-actions.tsx'

type Props = {
  upload: Upload
  /** Whether to show the QR code of the build, until a phone has opened one. */
  showsCode?: boolean
}

/** One upload: its file, its fields, and its progress or its result. */
export function UploadRow({ upload, showsCode = false }: Props) {
  const { id, filename, sizeBytes, folderFiles, phase, error, fieldErrors, build } = upload
  const [otherFile, setOtherFile] = useState<string>()
  return (
    <article className={classes.row} aria-label={filename} data-phase={phase}>
      <div className={classes.file}>
        <UploadIcon upload={upload} />
        <div className={classes.name}>
          <Text fw={600} truncate title={filename}>
            {filename}
          </Text>
          <Text fz="xs" c="dimmed" className="tabular" truncate>
            {build !== null && (
              <IconCheck size={12} color="var(--q-good)" aria-label={uploadText.phase.done} />
            )}{' '}
            {[
              ...(build === null ? [] : [build.version, build.platform, build.stream]),
              ...(folderFiles === null || folderFiles === 0 ? [] : [plural(folderFiles, 'file')]),
              formatBytes(sizeBytes),
              ...(upload.applicationName === '' ? [] : [upload.applicationName]),
            ].join(' · ')}
          </Text>
        </div>
        {build === null ? (
          <UploadActions upload={upload} onOtherFile={() => setOtherFile(otherText(upload))} />
        ) : (
          <UploadedBuildActions upload={upload} build={build} />
        )}
      </div>
      {showsCode && build !== null && (
        <UploadedBuildCode applicationId={upload.applicationId} build={build} />
      )}
      {phase !== 'done' && (
        <div className={classes.details}>
          {isEditable(upload) && <UploadFieldInputs upload={upload} />}
          {upload.applicationId === '' && phase !== 'elsewhere' && (
            <div className={classes.application}>
              <ApplicationField upload={upload} />
            </div>
          )}
          <UploadProgress upload={upload} />
        </div>
      )}
      {otherFile !== undefined && phase === 'needs-file' && (
        <Text c="red" fz="sm" role="alert">
          {otherFile}
        </Text>
      )}
      {phase === 'failed' && error !== null && Object.keys(fieldErrors).length === 0 && (
        <FailureBanner
          error={explained(error)}
          {...(canRetry(upload) ? { onRetry: () => uploadQueue.resume(id) } : {})}
        />
      )}
    </article>
  )
}

/** Returns whether there is something to send: a file that could not be read must be chosen again. */
const canRetry = ({ error, sample }: Upload): boolean => !(error instanceof BlockedError) && sample !== ''

const otherText = ({ filename, folderFiles }: Upload): string =>
  folderFiles === null
    ? uploadText.otherFile(filename)
    : uploadText.otherFolder(filename.replace(/\.zip$/, ''))

function explained(error: unknown): unknown {
  if (error instanceof FileGoneError) return new Error(uploadText.fileGone)
  return error instanceof BlockedError ? new Error(uploadText.blocked) : error
}

function UploadIcon({ upload: { icon, fields } }: { upload: Upload }) {
  if (icon !== null) return <img src={icon} alt="" width={36} height={36} className={classes.icon} />
  const identifier = fields.platform ?? 'generic'
  return (
    <span className={classes.icon}>
      <PlatformIcon platform={{ identifier, name: identifier }} size={20} />
    </span>
  )
}
