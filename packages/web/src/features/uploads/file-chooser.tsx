import { Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import { uploadText } from '../../text/builds/upload.ts'
import { IconUpload } from '../../ui/icons/icons.ts'
import phoneBar from '../../ui/phone-bar.module.css'
import { showFailure } from '../../ui/toast.tsx'
import { inputFiles, pickFiles } from '../../upload/choose-files.ts'
import type { ChosenFile } from '../../upload/upload.ts'
import { acceptedTypes } from './accepted-types.ts'
import classes from './file-chooser.module.css'
import { useUploads } from './upload-queue.ts'

type Props = {
  applicationName: string
  /** Undefined until they are loaded. */
  platforms: readonly string[] | undefined
  /** Whether there are uploads below, which need the space. */
  isCompact: boolean
  onFiles: (files: ChosenFile[]) => void
}

/** A button that opens the file dialog. Dropped files are handled by the frame, so that they work on every page. */
export function FileChooser({ applicationName, platforms, isCompact, onFiles }: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)')
  // The button that chooses the platforms is then the primary one.
  const isSecondary = useUploads().some(({ phase }) => phase === 'needs-platform')
  const input = useRef<HTMLInputElement>(null)
  async function choose(): Promise<void> {
    const files = await pickFiles({ multiple: true })
    if (files === undefined) input.current?.click()
    else onFiles(files)
  }
  return (
    <div className={`${classes.zone} ${phoneBar.bar}`} data-compact={isCompact || undefined}>
      <IconUpload size={28} stroke={1.5} className={classes.icon} />
      <div className={classes.text}>
        <Text fw={600}>
          {isTouch ? uploadText.chooseFor(applicationName) : uploadText.dropHere(applicationName)}
        </Text>
        <Text c="dimmed" fz="sm">
          {platforms === undefined ? ' ' : uploadText.dropHint(acceptedTypes(platforms))}
        </Text>
      </div>
      <Button variant={isSecondary ? 'default' : 'filled'} onClick={() => void choose().catch(showFailure)}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles(inputFiles(event.currentTarget.files))
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
