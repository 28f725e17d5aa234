import { Notifications } from '@mantine/notifications'

/** Shows the toasts. */
export function NotificationArea() {
  return <Notifications position="bottom-right" autoClose={6_000} />
}
