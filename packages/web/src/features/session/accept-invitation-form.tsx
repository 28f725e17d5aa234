import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuaysideError, type GetInvitationResponse } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Session } from '../../api/session.ts'
import { invitationText } from '../../text/members/invitation.ts'
import { passwordHint } from '../../text/sign-in.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useEnterConsole } from './enter-console.ts'
import { PasswordForm } from './password-form.tsx'
import { invitationQuery } from './sign-in.queries.ts'

type Props = {
  token: string
  invitation: GetInvitationResponse['data']
  /** The session of this browser if it belongs to the invited person. */
  session: Session | undefined
}

/** Accepts an invitation. A person with an account who is not signed in signs in afterwards. */
export function AcceptInvitationForm({ token, invitation, session }: Props) {
  const { email, has_account: hasAccount } = invitation
  const { form, submit, isRunning, error, isAccepted } = useAcceptance({ token, invitation, session })
  if (isAccepted)
    return (
      <Stack>
        <Notice kind="good" title={invitationText.accepted} />
        <PasswordForm next={undefined} email={email} />
        <Link to="/sign-in">Sign in another way</Link>
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
          description={hasAccount && session === undefined ? invitationText.hasAccount : undefined}
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

function useAcceptance({ token, invitation: { has_account: hasAccount }, session }: Props) {
  const enter = useEnterConsole()
  const queryClient = useQueryClient()
  const [isAccepted, setIsAccepted] = useState(false)
  const form = useForm({ initialValues: { name: session?.user.name ?? '', password: '' } })
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
    if (session !== undefined) await openNewWorkspace(session)
    if (hasAccount && session === undefined) setIsAccepted(true)
    else enter()
  })
  return { form, submit, isRunning, error, isAccepted }
}

/** Selects the workspace to which the person now belongs for the first time, if there is one. */
async function openNewWorkspace({ workspaces: before }: Session): Promise<void> {
  const { workspaces } = (await api.getSession()).data
  const joined = workspaces.find(({ id }) => !before.some((each) => each.id === id))
  if (joined !== undefined) await api.replaceSessionWorkspace({ body: { workspace_id: joined.id } })
}
