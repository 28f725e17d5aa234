import { Button, FileButton, Group, Text } from '@mantine/core'
import { useState, type DragEvent } from 'react'
import { imageText } from '../../text/image.ts'
import { ApplicationIcon } from '../application-icon.tsx'
import { showFailure } from '../toast.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import classes from './image-field.module.css'
import { squareImageOf, type SquareImage } from './square-image.ts'

type Props = {
  /** What the image is, such as "Icon". */
  label: string
  /** The name that provides the initials if there is no image. */
  name: string
  url: string | null
  /** Whether the image is the photo of a person. */
  isRound?: boolean
  canEdit: boolean
  onSave: (image: SquareImage) => Promise<unknown>
  onDelete?: () => Promise<unknown>
}

/** Shows an image and replaces it by a file that is chosen or dropped, after a preview in the sizes that are used. */
export function ImageField({ label, name, url, isRound = false, canEdit, onSave, onDelete }: Props) {
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
      <ApplicationIcon name={name} url={url} size={64} round={isRound} />
      <div>
        <Text fw={500}>{label}</Text>
        {canEdit && (
          <Text fz="sm" c="dimmed">
            {imageText.hint}
          </Text>
        )}
        {canEdit && <ImageButtons url={url} onChoose={choose} onDelete={onDelete} />}
      </div>
      {image !== undefined && (
        <ImagePreview
          label={label}
          name={name}
          isRound={isRound}
          image={image}
          onSave={onSave}
          onClose={() => setImage(undefined)}
        />
      )}
    </div>
  )
}

type ButtonsProps = Pick<Props, 'url' | 'onDelete'> & { onChoose: (file: File | null) => void }

function ImageButtons({ url, onChoose, onDelete }: ButtonsProps) {
  return (
    <Group gap="xs" mt={6}>
      <FileButton accept="image/png,image/jpeg,image/webp,image/gif,image/avif" onChange={onChoose}>
        {(props) => (
          <Button {...props} variant="default" size="xs">
            {url === null ? 'Choose a file' : 'Replace'}
          </Button>
        )}
      </FileButton>
      {url !== null && onDelete !== undefined && (
        <Button variant="subtle" color="gray" size="xs" onClick={() => void onDelete().catch(showFailure)}>
          Remove
        </Button>
      )}
    </Group>
  )
}

const previewSizes = [96, 28, 20]

type PreviewProps = Pick<Props, 'label' | 'name' | 'isRound' | 'onSave'> & {
  image: SquareImage
  onClose: () => void
}

function ImagePreview({ label, name, isRound = false, image, onSave, onClose }: PreviewProps) {
  return (
    <ConfirmDialog
      title={`${name}: ${label.toLowerCase()}`}
      confirmLabel="Save"
      onConfirm={async () => onSave(image)}
      onClose={onClose}
      hasButtonFocus
    >
      <Group justify="center" align="end" gap="xl" className={classes.preview}>
        {previewSizes.map((size) => (
          <ApplicationIcon key={size} name={name} url={image.url} size={size} round={isRound} />
        ))}
      </Group>
    </ConfirmDialog>
  )
}
