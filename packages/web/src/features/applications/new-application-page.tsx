import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { applicationListKey, workspaceKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { applicationText } from '../../text/applications.ts'
import { fieldText } from '../../text/fields.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import phoneBar from '../../ui/phone-bar.module.css'
import classes from './new-application-page.module.css'
import { PlatformPicker } from './platform-picker.tsx'

/** Creates an application and opens its builds, where the first upload is explained. */
export function NewApplicationPage() {
  const { can } = useSession()
  const { form, submit, isRunning, error } = useNewApplication()
  const { name, platforms } = form.values
  if (!can('applications:create'))
    return (
      <>
        <PageHeader title="New application" />
        <Text>{applicationText.readOnlyNew}</Text>
      </>
    )
  return (
    <form onSubmit={submit} noValidate>
      <PageHeader title="New application" facts={applicationText.new} />
      <Stack maw="46rem" gap="lg" className={phoneBar.bar}>
        <TextInput
          label="Name"
          placeholder="Aurora"
          autoFocus
          autoComplete="off"
          maw="28rem"
          {...form.getInputProps('name')}
        />
        <PlatformPicker
          value={platforms}
          onChange={(selected) => form.setFieldValue('platforms', selected)}
          error={form.errors['platforms']}
        />
        <Textarea
          label="Description"
          description={applicationText.description}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
        />
        {error !== undefined && <FailureBanner error={error} />}
        <Text fz="sm" c="dimmed">
          {applicationText.icon}
        </Text>
        <Button type="submit" loading={isRunning} className={classes.submit}>
          Create application
        </Button>
        <TerminalCommand name={name.trim()} platforms={platforms} />
      </Stack>
    </form>
  )
}

/** Returns the form. Submitting it creates the application and opens its builds. */
function useNewApplication() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: '', description: '', platforms: [] as string[] },
    validate: {
      name: (name) => (name.trim() === '' ? fieldText.enterName : null),
      platforms: (selected) => (selected.length === 0 ? applicationText.noPlatform : null),
    },
  })
  const { submit, isRunning, error } = useSubmit(form, async ({ description, ...values }) => {
    const body = { ...values, description: description === '' ? null : description }
    const { data } = await api.createApplication({ body })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: applicationListKey }),
      queryClient.invalidateQueries({ queryKey: workspaceKey('statistics') }),
    ])
    await navigate({ to: '/applications/$applicationId', params: { applicationId: data.id } })
  })
  return { form, submit, isRunning, error }
}

function TerminalCommand({ name, platforms }: { name: string; platforms: readonly string[] }) {
  return (
    <div>
      <Text fz="sm" c="dimmed" mb={4}>
        Same from a terminal
      </Text>
      <CommandLine
        code={`quayside applications create "${name === '' ? 'My app' : name}"${(platforms.length === 0 ? ['android'] : platforms).map((each) => ` --platform ${each}`).join('')}`}
      />
    </div>
  )
}
