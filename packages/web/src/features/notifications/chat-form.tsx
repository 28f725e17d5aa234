import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NotificationSettings } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../api/errors.ts'
import { notificationText as text } from '../../text/notifications.ts'
import { SettingsForm } from '../../ui/forms/settings-form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import { notificationSettingsQuery } from './notification.queries.ts'

/** Asks for the incoming webhook to which notifications are sent, and tests it. */
export function ChatForm({ settings }: { settings: NotificationSettings }) {
  const queryClient = useQueryClient()
  const [isTesting, setIsTesting] = useState(false)
  const form = useForm({ initialValues: { chat_url: settings.chat_url ?? '' } })
  const { chat_url: url } = form.values
  async function save(): Promise<void> {
    const chat_url = url.trim() === '' ? null : url.trim()
    const { data } = await api.updateNotificationSettings({ body: { chat_url } })
    queryClient.setQueryData(notificationSettingsQuery.queryKey, data)
    showDone(text.saved)
  }
  async function test(): Promise<void> {
    setIsTesting(true)
    form.clearErrors()
    try {
      await api.testNotificationChat({ body: { chat_url: url.trim() } })
      showDone(text.chatTested)
    } catch (failure) {
      const { chat_url: error } = fieldErrorsOf(failure)
      if (error === undefined) showFailure(failure)
      else form.setFieldError('chat_url', error)
    } finally {
      setIsTesting(false)
    }
  }
  return (
    <SettingsForm
      form={form}
      onSubmit={save}
      canEdit
      actions={
        url.trim() !== '' && (
          <Button variant="default" loading={isTesting} onClick={() => void test()}>
            Send a test message
          </Button>
        )
      }
    >
      {settings.chat_error !== null && url === settings.chat_url && (
        <Notice kind="bad" title={text.chatFailed}>
          {settings.chat_error}
        </Notice>
      )}
      <TextInput
        type="url"
        label="Webhook URL"
        description={text.chatUrl}
        placeholder="https://hooks.slack.com/services/…"
        maxLength={2000}
        {...form.getInputProps('chat_url')}
      />
    </SettingsForm>
  )
}
