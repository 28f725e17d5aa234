import { Button, Group } from '@mantine/core'
import { notifications, useNotifications } from '@mantine/notifications'
import { Suspense, useEffect, useReducer } from 'react'
import { isMac } from '../api/browser.ts'
import { failureOf } from '../api/errors.ts'
import { lazyOptional } from './loading/lazy.tsx'
import classes from './toast.module.css'

const loadAfterMs = 5_000

const NotificationArea = lazyOptional(async () => (await import('./notifications.tsx')).NotificationArea)

/**
 * Shows the toasts. Their component is loaded soon after the page: later, it could not be loaded for a toast that says that the
 * server cannot be reached, or after an upgrade of the server.
 */
export function Toasts() {
  const isNeeded = useNotifications().notifications.length > 0
  const [isDue, load] = useReducer(() => true, false)
  useEffect(() => void setTimeout(load, loadAfterMs), [])
  return (
    (isNeeded || isDue) && (
      <Suspense>
        <NotificationArea />
      </Suspense>
    )
  )
}

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

/** What the toasts on the screen can take back, latest last. */
const undos = new Map<string, () => void>()

/**
 * Confirms that something was done and offers to take it back, if that is possible. Use this instead of a question wherever
 * nothing is lost.
 */
export function showUndo(message: string, undo: (() => unknown) | undefined): void {
  if (undo === undefined) return showDone(message)
  const run = () => void (async () => undo())().catch(showFailure)
  const id = showWithButton({
    message,
    color: 'teal',
    label: 'Undo',
    keys: isMac() ? '⌘ Z' : 'Ctrl Z',
    onClick: run,
  })
  undos.set(id, run)
}

/** Takes back what the latest toast offers to undo. Returns whether there was one. */
export function undoLatest(): boolean {
  const [id, run] = [...undos].at(-1) ?? []
  if (id === undefined || run === undefined) return false
  notifications.hide(id)
  run()
  return true
}

/** Says that something waits for the person, with a button that leads there. */
export function showAction(message: string, label: string, onClick: () => void, color = 'yellow.7'): void {
  showWithButton({ message, color, label, onClick })
}

type WithButton = { message: string; color: string; label: string; keys?: string; onClick: () => void }

function showWithButton({ message, color, label, keys, onClick }: WithButton): string {
  const id = notifications.show({
    color,
    autoClose: 8_000,
    onClose: ({ id: closed = '' }) => void undos.delete(closed),
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-xs"
          variant="default"
          className={classes.button}
          rightSection={keys && <kbd className={classes.keys}>{keys}</kbd>}
          onClick={() => {
            notifications.hide(id)
            onClick()
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  })
  return id
}
