import { Button, Group, Modal, Stack, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../focus/use-return-focus.ts'

type Props = {
  title: string
  onClose: () => void
  /** What the button says. */
  label?: string
  /** What a careless click or Escape would lose. */
  keepsOpen?: 'on outside click' | 'until the button is pressed'
  size?: ModalProps['size']
  /** Buttons beside the one that closes the dialog. */
  actions?: ReactNode
  children: ReactNode
}

/** Shows a result, such as a secret that is shown once. */
export function DoneDialog({ title, onClose, label = 'Done', keepsOpen, size, actions, children }: Props) {
  useReturnFocus()
  const isFirm = keepsOpen === 'until the button is pressed'
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={keepsOpen === undefined}
      closeOnEscape={!isFirm}
      withCloseButton={!isFirm}
    >
      <Stack>
        {children}
        <Group justify={actions === undefined ? 'flex-end' : 'space-between'} gap="xs">
          {actions}
          <Button onClick={onClose} data-autofocus={actions === undefined || undefined}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
