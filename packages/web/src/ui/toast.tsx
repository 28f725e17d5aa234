import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { failureOf } from '../api/errors.ts'

/** Confirms that something was done. */
export function showDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 })
}

/** Shows the server's sentence about a failure that belongs to no field. */
export function showFailure(error: unknown): void {
  const { message, requestId } = failureOf(error)
  notifications.show({
    color: 'red',
    title: message,
    message: requestId === '' ? undefined : `Request ${requestId}`,
    autoClose: 12_000,
  })
}

/** Confirms that something was done and offers to take it back, if that is possible. */
export function showUndo(message: string, undo: (() => void) | undefined): void {
  if (undo === undefined) return showDone(message)
  const id = notifications.show({
    color: 'teal',
    autoClose: 8_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
