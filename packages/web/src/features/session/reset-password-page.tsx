import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../../api/errors.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { passwordHint, signInText } from '../../text/sign-in.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutsidePage } from './outside-page.tsx'

const route = getRouteApi('/reset-password')

/** Sets a new password with the link in an email. */
export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const [isDone, setIsDone] = useState(false)
  const form = useForm({ initialValues: { newPassword: '' } })
  const { submit, isRunning, error } = useSubmit(form, async ({ newPassword }) => {
    await callSignIn('/reset-password', { token, newPassword })
    setIsDone(true)
  })
  if (isDone)
    return (
      <OutsidePage title="Password changed">
        <Stack>
          <Notice kind="good" title={signInText.resetDone} />
          <ButtonLink to="/sign-in" fullWidth>
            Sign in
          </ButtonLink>
        </Stack>
      </OutsidePage>
    )
  const isExpired = token === undefined || (error !== undefined && failureOf(error).status === 410)
  if (isExpired)
    return (
      <OutsidePage
        title="This link no longer works"
        description={signInText.resetExpired}
        footer={<Link to="/sign-in">Back to sign-in</Link>}
      >
        <ButtonLink to="/forgot-password" fullWidth>
          Send a new link
        </ButtonLink>
      </OutsidePage>
    )
  return (
    <OutsidePage title="Choose a new password" description={signInText.reset}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordField
            label="New password"
            name="new-password"
            description={passwordHint}
            autoComplete="new-password"
            required
            withAsterisk={false}
            autoFocus
            {...form.getInputProps('newPassword')}
          />
          {error !== undefined && <FailureBanner error={error} />}
          <Button type="submit" loading={isRunning} fullWidth>
            Change password
          </Button>
        </Stack>
      </form>
    </OutsidePage>
  )
}
