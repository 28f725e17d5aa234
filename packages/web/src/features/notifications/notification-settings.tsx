import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NotificationSettings as Settings } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { notificationText as text } from '../../text/notifications.ts'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { showDone } from '../../ui/toast.tsx'
import { ChatForm } from './chat-form.tsx'
import { NotificationRules } from './notification-rules.tsx'
import { notificationSettingsQuery } from './notification.queries.ts'

/** What the person is notified of, when emails are sent, and to which chat. */
export function NotificationSettings() {
  const query = useQuery(notificationSettingsQuery)
  return (
    <>
      <NotificationRules />
      <SettingsSection title="Emails" description={text.emails}>
        <Loaded query={query} rows={3}>
          {(settings) => <EmailForm settings={settings} />}
        </Loaded>
      </SettingsSection>
      <SettingsSection title="Chat" description={text.chat}>
        <Loaded query={query} rows={1}>
          {(settings) => <ChatForm settings={settings} />}
        </Loaded>
      </SettingsSection>
    </>
  )
}

const modes = [
  { value: 'at_once', label: 'At once' },
  { value: 'daily', label: 'Once a day' },
  { value: 'none', label: 'Never' },
]

const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether the saved time zone decides when emails are sent. Until then, the form suggests that of the browser. */
const usesTimeZone = ({ email, quiet_hours: quiet }: Settings): boolean => email === 'daily' || quiet !== null

/** Returns why a time of the quiet hours cannot be saved beside the other one, as long as both are shown. */
function quietError(email: Settings['email'], time: string, other: string): string | null {
  if (email !== 'at_once' || (time === '' && other === '')) return null
  if (time === '') return text.quietMissing
  return time === other ? text.quietSame : null
}

function EmailForm({ settings }: { settings: Settings }) {
  const queryClient = useQueryClient()
  const { quiet_hours: quiet, time_zone: timeZone } = settings
  const form = useForm({
    initialValues: {
      email: settings.email,
      digest_hour: settings.digest_hour,
      time_zone: usesTimeZone(settings) ? timeZone : browserTimeZone(),
      from: quiet?.from ?? '',
      to: quiet?.to ?? '',
    },
    validate: {
      from: (from, { email, to }) => quietError(email, from, to),
      to: (to, { email, from }) => quietError(email, to, from),
    },
  })
  const { email } = form.values
  async function save({ from, to, ...values }: typeof form.values): Promise<void> {
    const quiet_hours = from === '' || to === '' ? null : { from, to }
    const { data } = await api.updateNotificationSettings({ body: { ...values, quiet_hours } })
    queryClient.setQueryData(notificationSettingsQuery.queryKey, data)
    showDone(text.saved)
  }
  return (
    <SettingsForm form={form} onSubmit={save} canEdit>
      <Select label="Send emails" data={modes} allowDeselect={false} {...form.getInputProps('email')} />
      {email === 'daily' && (
        <NumberInput
          label="Hour"
          min={0}
          max={23}
          clampBehavior="strict"
          {...form.getInputProps('digest_hour')}
        />
      )}
      {email === 'at_once' && (
        <Group align="flex-start" grow>
          <TextInput
            type="time"
            label="Quiet from"
            description={text.quietHint}
            {...form.getInputProps('from')}
          />
          <TextInput
            type="time"
            label="Quiet until"
            description={text.quietHint}
            {...form.getInputProps('to')}
          />
        </Group>
      )}
      {email !== 'none' && (
        <Select
          label="Time zone"
          data={[...new Set([form.values.time_zone, ...Intl.supportedValuesOf('timeZone')])]}
          searchable
          allowDeselect={false}
          {...form.getInputProps('time_zone')}
        />
      )}
    </SettingsForm>
  )
}
