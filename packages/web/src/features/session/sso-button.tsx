import { Button } from '@mantine/core'
import { useState } from 'react'
import { basePath } from '../../api/client.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { IconBuilding } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { consolePath } from './enter-console.ts'

/** Leads to the identity provider, which sends the person back to the console. */
export function SsoButton({ name, next }: { name: string; next: string | undefined }) {
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function signIn(): Promise<void> {
    setIsRunning(true)
    setError(undefined)
    try {
      const callbackURL = basePath + consolePath(next)
      const { url } = await callSignIn<{ url: string }>('/sign-in/social', { callbackURL })
      window.location.assign(url)
    } catch (failure) {
      setError(failure)
      setIsRunning(false)
    }
  }
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconBuilding size={18} />}
        loading={isRunning}
        onClick={() => void signIn()}
      >
        Continue with {name}
      </Button>
      {error !== undefined && <FailureBanner error={error} />}
    </>
  )
}
