import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import classes from './notifications.module.css'
import { undoLatest } from './toast.tsx'

/** Shows the toasts. Ctrl Z takes back what the latest one offers to undo. */
export function NotificationArea() {
  useEffect(() => {
    window.addEventListener('keydown', undoByKey)
    return () => window.removeEventListener('keydown', undoByKey)
  }, [])
  return <Notifications className={classes.area} position="bottom-right" autoClose={6_000} />
}

function undoByKey(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
  // In a text field, the keys take back what was typed.
  if (!isUndo || (event.target instanceof HTMLElement && isEditable(event.target))) return
  if (undoLatest()) event.preventDefault()
}

const isEditable = (element: HTMLElement): boolean =>
  element.isContentEditable ||
  (element.matches('input, textarea') &&
    !element.matches('[type="checkbox"], [type="radio"], [type="button"]'))
