import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuaysideError } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { invitationText } from '../../text/invitation.ts'
import { passwordHint } from '../../text/sign-in.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { useEnterConsole } from './enter-console.ts'
import { invitationQuery } from './sign-in.queries.ts'

type Props = { token: string; email: string; hasAccount: boolean }

/** Accepts an invitation. A person without an account is signed in afterwards; others sign in as usual. */
export function AcceptInvitationForm({ token, email, hasAccount }: Props) {
  const enter = useEnterConsole()
  const queryClient = useQueryClient()
  const [isAccepted, setIsAccepted] = useState(false)
  const form = useForm({ initialValues: { name: '', password: '' } })
  const { submit, isRunning, error } = useSubmit(form, async ({ name, password }) => {
    try {
      await api.acceptInvitation({ token, body: hasAccount ? { name } : { name, password } })
    } catch (failure) {
      // The account was created after this page was loaded, or the link cannot set its password.
      if (failure instanceof QuaysideError && failure.code === 'invitation.account_exists')
        queryClient.setQueryData(
          invitationQuery(token).queryKey,
          (before) => before && { ...before, has_account: true },
        )
      throw failure
    }
    if (hasAccount) setIsAccepted(true)
    else enter()
  })
  if (isAccepted)
    return (
      <Stack>
        <div role="status">{invitationText.accepted}</div>
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </Stack>
    )
  return (
    <form onSubmit={submit} method="post">
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          readOnly
          description={hasAccount ? invitationText.hasAccount : undefined}
        />
        <TextInput
          label="Your name"
          name="name"
          autoComplete="name"
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('name')}
        />
        {!hasAccount && (
          <PasswordField
            label="Password"
            name="password"
            description={passwordHint}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps('password')}
          />
        )}
        {error !== undefined && <FailureBanner error={error} />}
        <Button type="submit" loading={isRunning} fullWidth>
          {hasAccount ? 'Accept the invitation' : 'Create account'}
        </Button>
      </Stack>
    </form>
  )
}
