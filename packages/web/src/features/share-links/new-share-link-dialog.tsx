import { NumberInput, PasswordInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ShareLink } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { shareLinkText } from '../../text/distribution/share-link.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { PhoneCode, useIsOpenToPhones } from '../../ui/phone/phone-code.tsx'
import { createShareLink, keyOfShareables, type Shareable } from './share-link.queries.ts'

type Props = {
  shareable: Shareable
  /** What is shared, such as `2.14.0 (8123)`. */
  name?: string | undefined
  onClose: () => void
}

/** Creates a share link and shows it. */
export function NewShareLinkDialog({ shareable, name, onClose }: Props) {
  const [link, setLink] = useState<ShareLink>()
  const isOpenToPhones = useIsOpenToPhones()
  const code = link && <PhoneCode text={link.short_url} label="Share link QR code" size={180} />
  const subject = name ?? `this ${shareable.type}`
  if (link === undefined)
    return <LinkForm shareable={shareable} title={`Share ${subject}`} onCreated={setLink} onClose={onClose} />
  return (
    <DoneDialog title="Share link created" onClose={onClose}>
      <Stack align="center">
        {isOpenToPhones && code}
        <CommandLine code={link.short_url} label="share link" />
        <Text fz="sm" c="dimmed" ta="center">
          {link.password_protected ? shareLinkText.createdWithPassword : shareLinkText.created}
        </Text>
        {!isOpenToPhones && code}
      </Stack>
    </DoneDialog>
  )
}

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
]

const dayMs = 86_400_000

type FormProps = {
  shareable: Shareable
  title: string
  onCreated: (link: ShareLink) => void
  onClose: () => void
}

function LinkForm({ shareable, title, onCreated, onClose }: FormProps) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: {
      lifetime: '30',
      expires_at: '',
      password: '',
      max_downloads: '' as number | '',
      feedback_enabled: false,
    },
    validate: {
      expires_at: (value, { lifetime }) =>
        lifetime === 'date' && value === '' ? shareLinkText.chooseDate : null,
    },
  })

  async function create(values: typeof form.values): Promise<void> {
    const expiresAt = expiryOf(values)
    const link = await createShareLink(shareable, {
      ...(values.password === '' ? {} : { password: values.password }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      ...(values.max_downloads === '' ? {} : { max_downloads: values.max_downloads }),
      feedback_enabled: values.feedback_enabled,
    })
    void queryClient.invalidateQueries({ queryKey: keyOfShareables(shareable) })
    onCreated(link)
  }

  return (
    <FormDialog title={title} submitLabel="Create link" form={form} onSubmit={create} onClose={onClose}>
      <Select
        label="Expires"
        data={lifetimes}
        data-autofocus
        allowDeselect={false}
        error={form.values.lifetime === 'date' ? undefined : form.errors['expires_at']}
        {...form.getInputProps('lifetime')}
      />
      {form.values.lifetime === 'date' && (
        <TextInput type="datetime-local" label="Date and time" {...form.getInputProps('expires_at')} />
      )}
      <PasswordInput
        label="Password"
        placeholder="Optional"
        description={shareLinkText.passwordHelp}
        autoComplete="new-password"
        maxLength={72}
        {...form.getInputProps('password')}
      />
      <NumberInput
        label="Download limit"
        placeholder="Unlimited"
        description={shareLinkText.limitHelp}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('max_downloads')}
      />
      <Switch
        label={feedbackText.setting}
        description={feedbackText.settingHelp}
        {...form.getInputProps('feedback_enabled', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

function expiryOf({
  lifetime,
  expires_at: date,
}: {
  lifetime: string
  expires_at: string
}): string | undefined {
  if (lifetime === 'never') return undefined
  return new Date(lifetime === 'date' ? date : Date.now() + Number(lifetime) * dayMs).toISOString()
}
