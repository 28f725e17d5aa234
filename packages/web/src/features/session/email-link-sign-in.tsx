import { Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callSignIn } from '../../api/sign-in.ts'
import { signInText } from '../../text/sign-in.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { useEnterConsole } from './enter-console.ts'
import { OutsidePage } from './outside-page.tsx'

/** Signs in with the link in an email. A click is required, because mail scanners open links and run scripts. */
export function EmailLinkSignIn({ token }: { token: string }) {
  const enter = useEnterConsole()
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function signIn(): Promise<void> {
    setIsRunning(true)
    try {
      await callSignIn('/sign-in/link', { token })
      enter()
    } catch (failure) {
      setError(failure)
      setIsRunning(false)
    }
  }
  return (
    <OutsidePage
      title="Sign in with your link"
      description={signInText.openLink}
      footer={<Link to="/sign-in">Sign in another way</Link>}
    >
      <Stack>
        {error !== undefined && <FailureBanner error={error} />}
        <Button fullWidth loading={isRunning} onClick={() => void signIn()} autoFocus>
          Sign in
        </Button>
      </Stack>
    </OutsidePage>
  )
}
