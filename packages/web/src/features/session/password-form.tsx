import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { callSignIn } from '../../api/sign-in.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { useEnterConsole } from './enter-console.ts'
import classes from './password-form.module.css'
import { usePasskeySuggestions } from './use-passkey-suggestions.ts'

type Props = {
  next: string | undefined
  /** The email address, if it is already known. */
  email?: string
  /** A link beside the label of the password. */
  forgot?: ReactNode
}

/** Signs in with an email address and a password. The browser suggests passkeys in the first field. */
export function PasswordForm({ next, email = '', forgot }: Props) {
  const enter = useEnterConsole()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { email, password: '' } })
  usePasskeySuggestions(() => enter(next))
  const { submit, isRunning, error } = useSubmit(form, async (values) => {
    const { twoFactorRedirect } = await callSignIn<{ twoFactorRedirect?: boolean }>('/sign-in/email', values)
    if (twoFactorRedirect === true) await navigate({ to: '/sign-in/two-factor', search: { next } })
    else enter(next)
  })
  return (
    <form onSubmit={submit} method="post">
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          autoFocus={email === ''}
          readOnly={email !== ''}
          {...form.getInputProps('email')}
        />
        <div className={classes.password}>
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            autoFocus={email !== ''}
            {...form.getInputProps('password')}
          />
          {forgot !== undefined && <div className={classes.forgot}>{forgot}</div>}
        </div>
        {error !== undefined && <FailureBanner error={error} />}
        <Button type="submit" loading={isRunning} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
