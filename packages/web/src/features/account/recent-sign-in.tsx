import { QuaysideError } from '@quayside/sdk'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { signOut } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'

type RecentSignIn = {
  /** Calls the function. If the server requires a recent sign-in, `dialog` asks for it. */
  withRecentSignIn: (call: () => Promise<void>) => Promise<void>
  dialog: ReactNode
}

/** Lets the person sign in again for a change that requires a recent sign-in. */
export function useRecentSignIn(): RecentSignIn {
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const next = useLocation({ select: ({ href }) => href })
  async function signInAgain(): Promise<void> {
    await signOut()
    await navigate({ to: '/sign-in', search: { next } })
  }
  return {
    async withRecentSignIn(call) {
      try {
        await call()
      } catch (error) {
        if (error instanceof QuaysideError && error.code === 'session.not_fresh') setIsAsking(true)
        throw error
      }
    },
    dialog: isAsking ? (
      <ConfirmDialog
        title="Sign in again"
        confirmLabel="Sign in again"
        onConfirm={signInAgain}
        onClose={() => setIsAsking(false)}
        hasButtonFocus
      >
        {accountText.signInAgain}
      </ConfirmDialog>
    ) : null,
  }
}
