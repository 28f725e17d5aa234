import { TextInput } from '@mantine/core'
import { useState, type ComponentProps } from 'react'
import { DialogFrame } from './dialog-frame.tsx'

type Props = Omit<ComponentProps<typeof DialogFrame>, 'onSubmit' | 'isRunning' | 'error' | 'submitLabel'> & {
  /** The verb of the action, such as "Delete build". */
  confirmLabel: string
  /** A text that the person must type first, for actions that cannot be undone. */
  typeToConfirm?: string
  onConfirm: () => Promise<unknown>
}

/** Asks before an action. Stays open with the error if the action fails. */
export function ConfirmDialog({ children, confirmLabel, typeToConfirm, onConfirm, ...frame }: Props) {
  const { onClose, isDisabled = false } = frame
  const [typed, setTyped] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function confirm(): Promise<void> {
    setIsRunning(true)
    setError(undefined)
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
    <DialogFrame
      {...frame}
      submitLabel={confirmLabel}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRunning) void confirm()
      }}
      isRunning={isRunning}
      error={error}
      isDisabled={isDisabled || (typeToConfirm !== undefined && typed !== typeToConfirm)}
    >
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
    </DialogFrame>
  )
}
