import { Button } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { serviceUrl } from '../api/browser.ts'
import { isPageCovered, onPageCovered, signInWindow } from '../api/session-end.ts'
import { signInText } from '../text/sign-in.ts'
import classes from './session-cover.module.css'

const isNever = (): boolean => false

/** Hides the page after the session has ended, and keeps what was typed there until the person has signed in again. */
export function SessionCover() {
  const isCovered = useSyncExternalStore(onPageCovered, isPageCovered, isNever)
  useEffect(() => {
    if (!isCovered) return undefined
    const focused = document.activeElement
    document.body.dataset['covered'] = ''
    // An open dialog, which is hidden, would close with Escape and lose the text.
    document.body.setAttribute('data-mantine-stop-propagation', 'true')
    document.querySelector<HTMLElement>('[data-session-cover] button')?.focus()
    return () => {
      delete document.body.dataset['covered']
      document.body.removeAttribute('data-mantine-stop-propagation')
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [isCovered])
  if (!isCovered) return null
  return createPortal(
    <div className={classes.cover} data-session-cover role="alertdialog" aria-labelledby="session-cover">
      <div className={classes.card}>
        <h1 id="session-cover" className={classes.title}>
          {signInText.ended}
        </h1>
        <p className={classes.text}>{signInText.textKept}</p>
        <Button
          fullWidth
          data-mantine-stop-propagation="true"
          onClick={() => window.open(`${serviceUrl}/sign-in`, signInWindow, 'popup,width=520,height=720')}
        >
          Sign in
        </Button>
      </div>
    </div>,
    document.body,
  )
}
