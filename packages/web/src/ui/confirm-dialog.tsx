import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { FailureBanner } from './failure-banner.tsx'
import { useReturnFocus } from './use-return-focus.ts'

type Props = {
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** The verb of the action, such as "Delete build". */
  confirmLabel: string
  isDangerous?: boolean
  /** A text that the person must type first, for actions that cannot be undone. */
  typeToConfirm?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before an action. Stays open with the error if the action fails. */
export function ConfirmDialog({ title, children, confirmLabel, onConfirm, onClose, ...options }: Props) {
  const { isDangerous = false, typeToConfirm } = options
  useReturnFocus()
  const [typed, setTyped] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function confirm(): Promise<void> {
    setIsRunning(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <Stack>
          <div>{children}</div>
          {typeToConfirm !== undefined && (
            <TextInput
              label={`Type ${typeToConfirm} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error !== undefined && <FailureBanner error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : undefined}
              loading={isRunning}
              disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
