import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { uploadText } from '../../text/builds/upload.ts'
import { IconUpload } from '../../ui/icons/icons.ts'
import phoneBar from '../../ui/phone-bar.module.css'
import type { Chosen } from '../../upload/upload.ts'
import { acceptedTypes, acceptsFolders } from './accepted-types.ts'
import { ChooseButton } from './choose-button.tsx'
import classes from './file-chooser.module.css'
import { useUploads } from './upload-queue.ts'

type Props = {
  applicationName: string
  /** Undefined until they are loaded. */
  platforms: readonly string[] | undefined
  /** Whether there are uploads below, which need the space. */
  isCompact: boolean
  onFiles: (chosen: Chosen[]) => void
}

/** Buttons that open the file dialog. Dropped files are handled by the frame, so that they work on every page. */
export function FileChooser({ applicationName, platforms, isCompact, onFiles }: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)')
  // The button that chooses the platforms is then the primary one.
  const isSecondary = useUploads().some(({ phase }) => phase === 'needs-platform')
  return (
    <div className={`${classes.zone} ${phoneBar.bar}`} data-compact={isCompact || undefined}>
      <IconUpload size={28} stroke={1.5} className={classes.icon} />
      <div className={classes.text}>
        <Text fw={600}>
          {isTouch ? uploadText.chooseFor(applicationName) : uploadText.dropHere(applicationName)}
        </Text>
        <Text c="dimmed" fz="sm">
          {platforms === undefined
            ? ' '
            : uploadText.dropHint(acceptedTypes(platforms), !isTouch && acceptsFolders(platforms))}
        </Text>
      </div>
      <div className={classes.buttons}>
        <ChooseButton
          kind="files"
          inputLabel="Files to upload"
          variant={isSecondary ? 'default' : 'filled'}
          onChosen={onFiles}
        >
          Choose files
        </ChooseButton>
        {!isTouch && (
          <ChooseButton kind="folder" inputLabel="Folder to upload" variant="default" onChosen={onFiles}>
            Choose folder
          </ChooseButton>
        )}
      </div>
    </div>
  )
}
