import { Notifications } from '@mantine/notifications'
import classes from './notifications.module.css'

/** Shows the toasts. */
export function NotificationArea() {
  return <Notifications className={classes.area} position="bottom-right" autoClose={6_000} />
}
