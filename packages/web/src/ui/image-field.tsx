import { Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { useState, type DragEvent } from 'react'
import { imageText } from '../text/image.ts'
import { ApplicationIcon } from './application-icon.tsx'
import { FailureBanner } from './failure-banner.tsx'
import classes from './image-field.module.css'
import { squareImageOf, type SquareImage } from './square-image.ts'
import { showFailure } from './toast.tsx'

type Props = {
  /** What the image is, such as "Icon". */
  label: string
  /** The name that provides the initials if there is no image. */
  name: string
  url: string | null
  canEdit: boolean
  onSave: (image: SquareImage) => Promise<unknown>
  onDelete?: () => Promise<unknown>
}

/** Shows an image and replaces it by a file that is chosen or dropped, after a preview in the sizes that are used. */
export function ImageField({ label, name, url, canEdit, onSave, onDelete }: Props) {
  const [image, setImage] = useState<SquareImage>()
  const [isOver, setIsOver] = useState(false)
  const choose = (file: File | null | undefined) => {
    if (file) squareImageOf(file).then(setImage, showFailure)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (canEdit) choose(event.dataTransfer.files[0])
  }
  return (
    <div
      className={classes.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(canEdit)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <ApplicationIcon name={name} url={url} size={64} />
      <div>
        <Text fw={500}>{label}</Text>
        {canEdit && (
          <Text fz="sm" c="dimmed">
            {imageText.hint}
          </Text>
        )}
        {canEdit && (
          <Group gap="xs" mt={6}>
            <FileButton accept="image/png,image/jpeg,image/webp,image/gif,image/avif" onChange={choose}>
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  {url === null ? 'Choose a file' : 'Replace'}
                </Button>
              )}
            </FileButton>
            {url !== null && onDelete !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                onClick={() => void onDelete().catch(showFailure)}
              >
                Remove
              </Button>
            )}
          </Group>
        )}
      </div>
      {image !== undefined && (
        <ImagePreview
          label={label}
          name={name}
          image={image}
          onSave={onSave}
          onClose={() => setImage(undefined)}
        />
      )}
    </div>
  )
}

const previewSizes = [96, 28, 20]

type PreviewProps = Pick<Props, 'label' | 'name' | 'onSave'> & { image: SquareImage; onClose: () => void }

function ImagePreview({ label, name, image, onSave, onClose }: PreviewProps) {
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function save(): Promise<void> {
    setIsRunning(true)
    try {
      await onSave(image)
      onClose()
    } catch (failure) {
      setError(failure)
      setIsRunning(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={`${label} of ${name}`}>
      <Stack>
        <Group justify="center" align="end" gap="xl" className={classes.preview}>
          {previewSizes.map((size) => (
            <ApplicationIcon key={size} name={name} url={image.url} size={size} />
          ))}
        </Group>
        {error !== undefined && <FailureBanner error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isRunning} onClick={() => void save()} data-autofocus>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
