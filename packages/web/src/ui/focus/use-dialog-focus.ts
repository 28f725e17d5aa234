import { useCallback, useRef } from 'react'

/**
 * Returns a ref for the button of a menu and a function that focuses it. Call it when a dialog closes that an item of the
 * menu opened, because the item that had the focus no longer exists.
 */
export function useDialogFocus() {
  const button = useRef<HTMLButtonElement>(null)
  const returnFocus = useCallback(() => {
    // The dialog first removes its focus trap.
    requestAnimationFrame(() => button.current?.focus())
  }, [])
  return { button, returnFocus }
}
