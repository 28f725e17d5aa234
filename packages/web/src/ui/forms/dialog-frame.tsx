import { Box, Button, Group, Modal, Stack, type ModalProps } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useReturnFocus } from '../focus/use-return-focus.ts'
import { FailureBanner } from '../loading/failure-banner.tsx'
import classes from './dialog-frame.module.css'

type Props = {
  title: string
  /** The verb of the action, such as "Create label". */
  submitLabel: string
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onClose: () => void
  isRunning: boolean
  /** Why the last attempt failed. */
  error: unknown
  isDisabled?: boolean
  isDangerous?: boolean
  /** Whether Enter runs the action although the dialog has no field that takes the focus. */
  hasButtonFocus?: true
  size?: ModalProps['size']
  /** A sentence beside the buttons. */
  note?: ReactNode
  /** What stands beside the fields, such as a preview. */
  aside?: ReactNode
  children: ReactNode
}

/** The dialog of every form and question: its content, the error of the last attempt, and the buttons. */
export function DialogFrame({ title, submitLabel, onSubmit, onClose, size, children, ...options }: Props) {
  const { isRunning, error, isDisabled, isDangerous, hasButtonFocus, note, aside } = options
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form onSubmit={onSubmit} noValidate className={aside === undefined ? undefined : classes.columns}>
        <Stack>
          {children}
          {error !== undefined && <FailureBanner error={error} />}
          <Group justify={note === undefined ? 'flex-end' : 'space-between'} gap="xs" mt="auto">
            {note !== undefined && (
              <Box fz="sm" className="soft">
                {note}
              </Box>
            )}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                type="submit"
                loading={isRunning}
                disabled={isDisabled}
                color={isDangerous ? 'red' : undefined}
                data-autofocus={hasButtonFocus}
              >
                {submitLabel}
              </Button>
            </Group>
          </Group>
        </Stack>
        {aside}
      </form>
    </Modal>
  )
}
