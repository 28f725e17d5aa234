import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { callSignIn } from '../../api/sign-in.ts'
import { signInText } from '../../text/sign-in.ts'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { IconMail } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Sends a link by email that signs in without a password. */
export function EmailLinkForm() {
  const [isOpen, setIsOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ initialValues: { email: '' } })
  const { submit, isRunning, error } = useSubmit(form, async ({ email }) => {
    await callSignIn('/sign-in/magic-link', { email })
    setSentTo(email)
  })
  if (sentTo !== undefined)
    return (
      <Notice kind="good" title={signInText.linkSent(sentTo)}>
        {signInText.linkSentHint}
      </Notice>
    )
  if (!isOpen)
    return (
      <Button
        variant="default"
        fullWidth
        leftSection={<IconMail size={18} />}
        onClick={() => setIsOpen(true)}
      >
        Email me a link
      </Button>
    )
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label="Email address for the link"
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('email')}
        />
        {error !== undefined && <FailureBanner error={error} />}
        <Group gap="xs" grow>
          <Button variant="default" onClick={() => setIsOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" variant="light" loading={isRunning}>
            Send the link
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
