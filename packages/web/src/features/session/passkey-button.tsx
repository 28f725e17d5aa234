import { Button } from '@mantine/core'
import { useState } from 'react'
import { isPasskeyCanceled, signInWithPasskey } from '../../api/passkeys.ts'
import { IconFingerprint } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { useEnterConsole } from './enter-console.ts'

/** Signs in with a passkey of this device, a phone or a security key. */
export function PasskeyButton({ next }: { next: string | undefined }) {
  const enter = useEnterConsole()
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function signIn(): Promise<void> {
    setIsRunning(true)
    setError(undefined)
    try {
      await signInWithPasskey()
      enter(next)
    } catch (failure) {
      if (!isPasskeyCanceled(failure)) setError(failure)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} />}
        loading={isRunning}
        onClick={() => void signIn()}
      >
        Sign in with a passkey
      </Button>
      {error !== undefined && <FailureBanner error={error} />}
    </>
  )
}
