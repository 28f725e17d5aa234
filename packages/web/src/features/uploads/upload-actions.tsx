import { ActionIcon, Button } from '@mantine/core'
import { uploadText } from '../../text/builds/upload.ts'
import { Hint } from '../../ui/hint.tsx'
import { IconPlayerPause, IconPlayerPlay, IconX } from '../../ui/icons/icons.ts'
import { showDone, showUndo } from '../../ui/toast.tsx'
import type { Chosen, Upload, UploadPhase } from '../../upload/upload.ts'
import { ChooseButton } from './choose-button.tsx'
import { uploadQueue } from './upload-queue.ts'

const pausable: ReadonlySet<UploadPhase> = new Set(['waiting', 'uploading', 'retrying', 'offline'])

type Props = { upload: Upload; onOtherFile: () => void }

/** Pauses, resumes and cancels an upload. */
export function UploadActions({ upload, onOtherFile }: Props) {
  const { id, filename, phase, folderFiles } = upload
  const isReading = phase === 'reading'
  // A file is read within seconds.
  if (phase === 'elsewhere' || phase === 'verifying' || (isReading && folderFiles === null)) return null
  function cancel(): void {
    const undo = uploadQueue.cancel(id)
    if (isReading) showDone(uploadText.canceled(filename))
    else showUndo(uploadText.canceled(filename), undo)
  }
  return (
    <>
      {pausable.has(phase) && (
        <Hint label="Pause">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Pause ${filename}`}
            onClick={() => uploadQueue.pause(id)}
          >
            <IconPlayerPause size={18} />
          </ActionIcon>
        </Hint>
      )}
      {(phase === 'paused' || phase === 'needs-permission') && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          aria-label={`Resume ${filename}`}
          onClick={() => uploadQueue.resume(id)}
        >
          Resume
        </Button>
      )}
      {phase === 'needs-file' && <FileChoice upload={upload} onOtherFile={onOtherFile} />}
      <Hint label="Cancel">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Cancel ${filename}`}
          onClick={cancel}
        >
          <IconX size={18} />
        </ActionIcon>
      </Hint>
    </>
  )
}

/** Asks for the file or folder of an upload that was interrupted. */
function FileChoice({ upload: { id, filename, folderFiles }, onOtherFile }: Props) {
  const kind = folderFiles === null ? 'file' : 'folder'
  async function resumeWith([chosen]: readonly Chosen[]): Promise<void> {
    if (chosen !== undefined && !(await uploadQueue.resumeWith(id, chosen))) onOtherFile()
  }
  return (
    <ChooseButton
      kind={kind}
      inputLabel={`${kind === 'file' ? 'File' : 'Folder'} to resume ${filename}`}
      variant="default"
      size="xs"
      aria-label={`Choose the ${kind} ${filename}`}
      onChosen={resumeWith}
    >
      Choose the {kind}
    </ChooseButton>
  )
}
