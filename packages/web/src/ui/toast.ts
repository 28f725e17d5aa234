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
