import { useEffect, useState } from 'react'

/**
 * Returns the focus to the element that opened a dialog when the dialog is removed. Mantine returns it only if a dialog
 * stays mounted after it is closed.
 */
export function useReturnFocus(): void {
  // During the first render, the dialog has not taken the focus yet.
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && document.querySelector('[aria-modal="true"]') === null) opener?.focus()
      })
    },
    [opener],
  )
}

/** A menu is removed with the item that was chosen, so its button receives the focus. */
function openerOf(element: Element | null): HTMLElement | undefined {
  const menu = element?.closest('[role="menu"]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return opener instanceof HTMLElement ? opener : undefined
}
