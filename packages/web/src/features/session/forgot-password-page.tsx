import { Button, Skeleton, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { signInText } from '../../text/sign-in.ts'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutsidePage } from './outside-page.tsx'
import { signInMethodsQuery } from './sign-in.queries.ts'

/** Sends a link by email that sets a new password. */
export function ForgotPasswordPage() {
  const { data: methods, error } = useQuery(signInMethodsQuery)
  const hasMail = methods?.email_link
  return (
    <OutsidePage
      title="Reset your password"
      description={hasMail === false ? signInText.noMail : signInText.forgot}
      footer={<Link to="/sign-in">Back to sign-in</Link>}
    >
      {error !== null && <FailureBanner error={error} />}
      {hasMail === undefined && error === null && <Skeleton height={112} />}
      {hasMail === true && <RequestForm />}
      {hasMail === false && (
        <Button component="a" href={`${serviceUrl}/docs/sign-in`} variant="default" fullWidth>
          How to recover access
        </Button>
      )}
    </OutsidePage>
  )
}

function RequestForm() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ initialValues: { email: '' } })
  const { submit, isRunning, error } = useSubmit(form, async ({ email }) => {
    await callSignIn('/request-password-reset', { email })
    setSentTo(email)
  })
  if (sentTo !== undefined)
    return (
      <Notice kind="good" title={signInText.resetSent(sentTo)}>
        {signInText.resetSentHint}
      </Notice>
    )
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('email')}
        />
        {error !== undefined && <FailureBanner error={error} />}
        <Button type="submit" loading={isRunning} fullWidth>
          Send the link
        </Button>
      </Stack>
    </form>
  )
}
