import { Progress, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { failureOf } from '../../api/errors.ts'
import { uploadText } from '../../text/builds/upload.ts'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { formatTimeLeft } from '../../ui/format/duration.ts'
import { fieldProblems, isSaved } from '../../upload/upload-request.ts'
import { isEditable, secondsLeft, type Upload } from '../../upload/upload.ts'
import classes from './upload-progress.module.css'

/** Shows how much has been sent, the speed and the time left, or why nothing is being sent. */
export function UploadProgress({ upload }: { upload: Upload }) {
  const { filename, phase, sentBytes, sizeBytes, bytesPerSecond, fieldErrors, folderFiles } = upload
  const percent = sizeBytes === 0 ? 0 : Math.min(100, (sentBytes / sizeBytes) * 100)
  const left = secondsLeft(upload)
  const isMoving = phase === 'uploading' || phase === 'verifying' || phase === 'elsewhere'
  const isComplete = phase === 'incomplete' && Object.keys(fieldErrors).length === 0
  const retryIn = useSecondsUntil(upload.retryAt)
  const isWarning =
    (phase === 'incomplete' && !isComplete) ||
    phase === 'retrying' ||
    phase === 'offline' ||
    phase.startsWith('needs')
  return (
    <div className={classes.progress}>
      <Progress
        value={percent}
        size={6}
        color={isMoving ? undefined : isWarning ? 'yellow.7' : 'gray'}
        aria-label={`Progress of ${filename}`}
        className={classes.bar}
      />
      <div className={classes.status}>
        <Text fz="sm" span role="status" className={classes.phase} data-warning={isWarning || undefined}>
          {isComplete ? uploadText.editing : phaseText(upload)}
          <SavedState upload={upload} />
        </Text>
        <Text fz="sm" c="dimmed" span className="tabular">
          {folderFiles !== null && folderProgress(upload)}
          {retryIn !== undefined && `${uploadText.retryingIn(retryIn)} · `}
          {bytesPerSecond !== null && `${formatBytes(bytesPerSecond)}/s · `}
          {left !== null && `${formatTimeLeft(left)} left · `}
          {!['needs-platform', 'needs-application'].includes(phase) && `${Math.floor(percent)} %`}
        </Text>
      </div>
    </div>
  )
}

function phaseText({ phase, folderFiles, error }: Upload): string {
  // Without an error, there was no response.
  if (phase === 'retrying' && error !== null) return failureOf(error).message
  if (folderFiles !== null && phase === 'reading') return uploadText.readingFolder
  if (folderFiles !== null && phase === 'needs-file') return uploadText.chooseFolderAgain
  return uploadText.phase[phase]
}

/** Returns the bytes and files of a folder that have been read or sent, such as `12 of 340 files · 1 MB of 3 MB · `. */
function folderProgress({ folderFiles, sentFiles, sentBytes, sizeBytes }: Upload): string {
  if (folderFiles === null || sentFiles === null) return ''
  const bytes = uploadText.bytesOf(formatBytes(sentBytes), formatBytes(sizeBytes))
  return `${uploadText.filesOf(sentFiles, plural(folderFiles, 'file'))} · ${bytes} · `
}

/** Shows whether the server has what the person has changed. */
function SavedState({ upload }: { upload: Upload }) {
  const { isEdited, pendingUploadId, fields } = upload
  if (!isEdited || pendingUploadId === null || !isEditable(upload)) return null
  if (Object.keys(fieldProblems(fields)).length > 0) return null
  return (
    <Text fz="sm" c="dimmed" span>
      {' · '}
      {isSaved(upload) ? uploadText.saved : uploadText.unsaved}
    </Text>
  )
}

/** Returns the seconds until a time, counted down; undefined if there is none. */
function useSecondsUntil(atMs: number | null): number | undefined {
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (atMs === null) return undefined
    const update = () => setNowMs(Date.now())
    update()
    const timer = setInterval(update, 500)
    return () => clearInterval(timer)
  }, [atMs])
  return atMs === null ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
