import { Button, Divider, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuaysideError } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { setupText } from '../../text/setup.ts'
import { passwordHint } from '../../text/sign-in.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { PlatformPicker } from '../applications/platform-picker.tsx'

export type FirstApplication = { id: string; name: string; platforms: readonly string[]; apiKey: string }

type Props = { token: string; onDone: (application: FirstApplication) => void }

/** Asks for the workspace, its owner and the first application. */
export function SetupForm({ token, onDone }: Props) {
  const { form, hasOwner, application, submit, isRunning, error } = useSetup({ token, onDone })
  return (
    <form onSubmit={submit} method="post">
      <Stack>
        {!hasOwner && <OwnerFields form={form} />}
        <TextInput
          label="First application"
          placeholder="Aurora"
          autoComplete="off"
          description={hasOwner ? setupText.ownerCreated : undefined}
          readOnly={application !== undefined}
          {...fieldProps(form, 'application_name')}
        />
        <PlatformPicker
          value={form.values.platforms}
          onChange={(platforms) => form.setFieldValue('platforms', platforms)}
          error={form.errors['platforms']}
        />
        {error !== undefined && <FailureBanner error={error} />}
        <Button type="submit" loading={isRunning} fullWidth>
          Set up
        </Button>
      </Stack>
    </form>
  )
}

type Form = ReturnType<typeof useSetup>['form']

function useSetup({ token, onDone }: Props) {
  const [hasOwner, setHasOwner] = useState(false)
  const [application, setApplication] = useState<{ id: string; name: string }>()
  const form = useForm({
    initialValues: {
      workspace_name: '',
      name: '',
      email: '',
      password: '',
      application_name: '',
      platforms: ['android', 'ios'],
    },
  })
  // The token and the name are used up one after the other, so a second attempt continues where the first one failed.
  const { submit, isRunning, error } = useSubmit(form, async (values) => {
    const { application_name: applicationName, platforms, ...owner } = values
    if (!hasOwner) {
      await api.setUp({ body: { setup_token: token, ...owner } })
      setHasOwner(true)
    }
    const created = application ?? (await createApplication(applicationName, platforms))
    setApplication(created)
    const { data } = await api.createApplicationApiKey({
      application_id: created.id,
      body: { name: 'First upload', scopes: ['builds:create'] },
    })
    onDone({ ...created, platforms, apiKey: data.key })
  })
  return { form, hasOwner, application, submit, isRunning, error }
}

function OwnerFields({ form }: { form: Form }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="md">
        <TextInput
          label="Workspace"
          placeholder="Acme Games"
          autoComplete="organization"
          autoFocus
          {...fieldProps(form, 'workspace_name')}
        />
        <TextInput label="Your name" autoComplete="name" {...fieldProps(form, 'name')} />
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          {...fieldProps(form, 'email')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          description={passwordHint}
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
      <Divider />
    </>
  )
}

const fieldProps = (form: Form, name: 'workspace_name' | 'name' | 'email' | 'application_name') => ({
  required: true,
  withAsterisk: false,
  name,
  ...form.getInputProps(name),
})

async function createApplication(name: string, platforms: string[]): Promise<{ id: string; name: string }> {
  try {
    return (await api.createApplication({ body: { name, platforms } })).data
  } catch (error) {
    const messages = error instanceof QuaysideError ? error.errors['name'] : undefined
    if (!(error instanceof QuaysideError) || messages === undefined) throw error
    const { status, message, code, requestId, errors } = error
    throw new QuaysideError(status, message, {
      code,
      requestId,
      errors: { ...errors, application_name: messages },
    })
  }
}
