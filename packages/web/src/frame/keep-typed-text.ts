import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isServerAway, reportKeptPage } from '../api/connection.ts'
import { guardReload } from '../api/page-reload.ts'

let hasTyped = false

/** Returns whether the page contains text that may not have been saved, or a dialog with a form. */
export const hasUnsavedText = (): boolean => hasTyped || document.querySelector('[role=dialog] form') !== null

/** Keeps typed text: the page is not reloaded without the consent of the person. */
export function useTypedText(): void {
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.closest('form, [role=dialog], textarea') !== null)
        hasTyped = true
    }
    document.addEventListener('input', onInput)
    const removeGuard = guardReload(hasUnsavedText)
    return () => {
      hasTyped = false
      removeGuard()
      document.removeEventListener('input', onInput)
    }
  }, [])
}

/** Keeps a page with typed text open while another page could not be loaded, because the server cannot be reached. */
export function useKeptText(): void {
  const { history } = useRouter()
  useTypedText()
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: false,
        blockerFn: ({ currentLocation, nextLocation }) => {
          if (hasTyped && (isServerAway() || !navigator.onLine)) {
            reportKeptPage()
            return true
          }
          if (currentLocation.pathname !== nextLocation.pathname) hasTyped = false
          return false
        },
      }),
    [history],
  )
}
