import { Checkbox, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NotificationRule } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { platforms as allPlatforms } from '../../text/builds/platforms.ts'
import { kindNames, notificationText as text } from '../../text/notifications.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { platformsQuery } from '../applications/platform.queries.ts'
import { notificationSettingsQuery } from './notification.queries.ts'

type Kind = NotificationRule['kind']
const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))
const ofBuilds: ReadonlySet<Kind> = new Set(['build', 'build_failed', 'feedback'])
const ofOwnBuilds: ReadonlySet<Kind> = new Set(['build_failed', 'feedback'])

type Props = { onClose: () => void; onAdded: () => Promise<unknown> }

/** Asks what to be notified of. */
export function NotificationRuleDialog({ onClose, onAdded }: Props) {
  const { data: applications = [] } = useQuery(applicationsQuery)
  const { data: settings } = useQuery(notificationSettingsQuery)
  const form = useForm({
    initialValues: {
      kind: 'build' as Kind,
      application_id: '',
      stream: '',
      platform: '',
      label: '',
      own_only: false,
      sends_email: false,
      sends_chat: false,
    },
  })
  const { kind, application_id: applicationId } = form.values
  const { data: ofApplication = [] } = useQuery({
    ...platformsQuery(applicationId),
    enabled: applicationId !== '',
  })
  const platforms = applicationId === '' ? allPlatforms : ofApplication
  async function add(values: typeof form.values): Promise<void> {
    const given = (value: string, isAllowed: boolean) => (isAllowed && value !== '' ? value : null)
    await api.createNotificationRule({
      body: {
        kind,
        application_id: given(values.application_id, true),
        stream: given(values.stream, ofBuilds.has(kind)),
        platform: given(values.platform, ofBuilds.has(kind)),
        label: given(values.label, kind === 'build'),
        own_only: values.own_only && ofOwnBuilds.has(kind),
        sends_email: values.sends_email,
        sends_chat: values.sends_chat,
      },
    })
    await onAdded()
    showDone(text.ruleAdded)
    onClose()
  }
  return (
    <FormDialog form={form} onSubmit={add} onClose={onClose} title="Add a rule" submitLabel="Add the rule">
      <Select label="Notify me of" data={kinds} allowDeselect={false} {...form.getInputProps('kind')} />
      <Select
        label="Application"
        data={[
          { value: '', label: 'All applications' },
          ...applications.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        allowDeselect={false}
        searchable
        {...form.getInputProps('application_id')}
        // The application may not have the platform.
        onChange={(id: string | null) => form.setValues({ application_id: id ?? '', platform: '' })}
      />
      {ofBuilds.has(kind) && (
        <>
          <TextInput
            label="Stream"
            description={kind === 'build' ? text.streamHint : undefined}
            placeholder="Any stream"
            maxLength={255}
            {...form.getInputProps('stream')}
          />
          <Select
            label="Platform"
            data={[
              { value: '', label: 'Any platform' },
              ...platforms.map(({ identifier, name }) => ({ value: identifier, label: name })),
            ]}
            allowDeselect={false}
            {...form.getInputProps('platform')}
          />
        </>
      )}
      {kind === 'build' && (
        <TextInput
          label="Label"
          description={text.labelHint}
          placeholder="Any label"
          maxLength={50}
          {...form.getInputProps('label')}
        />
      )}
      {ofOwnBuilds.has(kind) && (
        <Checkbox
          label="Only my builds"
          description={text.ownHint}
          {...form.getInputProps('own_only', { type: 'checkbox' })}
        />
      )}
      <Checkbox label="Also send an email" {...form.getInputProps('sends_email', { type: 'checkbox' })} />
      {typeof settings?.chat_url === 'string' && (
        <Checkbox
          label="Also send a chat message"
          {...form.getInputProps('sends_chat', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  )
}
