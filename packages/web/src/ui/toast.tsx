import { Button, Group } from '@mantine/core'
import { notifications, useNotifications } from '@mantine/notifications'
import { Suspense, useEffect, useState } from 'react'
import { failureOf } from '../api/errors.ts'
import { lazyOptional } from './loading/lazy.tsx'

const NotificationArea = lazyOptional(async () => (await import('./notifications.tsx')).NotificationArea)

/** Shows the toasts. Their component is loaded when there is one for the first time. */
export function Toasts() {
  const isNeeded = useNotifications().notifications.length > 0
  const [isLoaded, setIsLoaded] = useState(false)
  useEffect(() => setIsLoaded((before) => before || isNeeded), [isNeeded])
  return (
    (isNeeded || isLoaded) && (
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

/** Confirms that something was done and offers to take it back, if that is possible. */
export function showUndo(message: string, undo: (() => void) | undefined): void {
  if (undo === undefined) return showDone(message)
  showWithButton({ message, color: 'teal', label: 'Undo', onClick: undo })
}

/** Says that something waits for the person, with a button that leads there. */
export function showAction(message: string, label: string, onClick: () => void): void {
  showWithButton({ message, color: 'yellow.7', label, onClick })
}

type WithButton = { message: string; color: string; label: string; onClick: () => void }

function showWithButton({ message, color, label, onClick }: WithButton): void {
  const id = notifications.show({
    color,
    autoClose: 8_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-xs"
          variant="default"
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
}
