import { ActionIcon, Button } from '@mantine/core'
import { useRef } from 'react'
import { uploadText } from '../../text/builds/upload.ts'
import { Hint } from '../../ui/hint.tsx'
import { IconPlayerPause, IconPlayerPlay, IconX } from '../../ui/icons/icons.ts'
import { showFailure, showUndo } from '../../ui/toast.tsx'
import { inputFiles, pickFiles } from '../../upload/choose-files.ts'
import type { ChosenFile, Upload, UploadPhase } from '../../upload/upload.ts'
import { uploadQueue } from './upload-queue.ts'

const pausable: ReadonlySet<UploadPhase> = new Set(['waiting', 'uploading', 'retrying', 'offline'])

type Props = { upload: Upload; onOtherFile: () => void }

/** Pauses, resumes and cancels an upload. */
export function UploadActions({ upload, onOtherFile }: Props) {
  const { id, filename, phase } = upload
  if (phase === 'elsewhere' || phase === 'verifying' || phase === 'reading') return null
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
          onClick={() => showUndo(uploadText.canceled(filename), uploadQueue.cancel(id))}
        >
          <IconX size={18} />
        </ActionIcon>
      </Hint>
    </>
  )
}

/** Asks for the file of an upload that was interrupted. */
function FileChoice({ upload: { id, filename }, onOtherFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  async function resumeWith([chosen]: readonly ChosenFile[]): Promise<void> {
    if (chosen !== undefined && !(await uploadQueue.resumeWith(id, chosen))) onOtherFile()
  }
  async function choose(): Promise<void> {
    const files = await pickFiles({ multiple: false })
    if (files === undefined) input.current?.click()
    else await resumeWith(files)
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => void choose().catch(showFailure)}
        aria-label={`Choose the file ${filename}`}
      >
        Choose the file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File to resume ${filename}`}
        onChange={(event) => {
          void resumeWith(inputFiles(event.currentTarget.files)).catch(showFailure)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
