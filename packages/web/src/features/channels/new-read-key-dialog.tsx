import { NumberInput, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { CreatedReadKey } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { channelText } from '../../text/distribution/channels.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { IconKey } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { expiresAt, ExpiryField, type Expiry } from '../api-keys/expiry-field.tsx'
import { reloadChannels, type ChannelParams } from './channel.queries.ts'

/** Creates a read key, then shows it once with its URL. */
export function NewReadKeyDialog({ params, onClose }: { params: ChannelParams; onClose: () => void }) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const [created, setCreated] = useState<CreatedReadKey>()
  const form = useForm({
    initialValues: {
      name: '',
      cohort: '',
      max_downloads: '' as number | '',
      expires_at: 'never' satisfies Expiry as Expiry,
    },
    validate: { name: isNotEmpty(channelText.readKeyName) },
  })
  if (created !== undefined)
    return (
      <DoneDialog
        title={`Read key ${created.name}`}
        label="I have copied it"
        keepsOpen="until the button is pressed"
        size="lg"
        onClose={onClose}
      >
        <Notice kind="warn" icon={<IconKey size={18} />}>
          {channelText.keyOnce}
        </Notice>
        <CommandLine code={created.key} label="read key" />
        <div>{channelText.keyUse}</div>
        <CommandLine code={created.url} label="channel URL with the key" />
      </DoneDialog>
    )
  return (
    <FormDialog
      title="New read key"
      submitLabel="Create key"
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, cohort, max_downloads, expires_at }) => {
        const body = {
          name: name.trim(),
          cohort: cohort.trim() === '' ? null : cohort.trim(),
          max_downloads: max_downloads === '' ? null : max_downloads,
          expires_at: expiresAt(expires_at),
        }
        const { data } = await api.createReadKey({ ...params, body })
        setCreated(data)
        await reloadChannels(queryClient, params.application_id)
      }}
    >
      <TextInput
        label="Name"
        placeholder="Example Ltd"
        maxLength={100}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <ExpiryField
        value={form.values.expires_at}
        onChange={(expiry) => form.setFieldValue('expires_at', expiry)}
        error={form.errors['expires_at']}
      />
      <NumberInput
        label="Maximum downloads"
        description={channelText.maxDownloads}
        min={1}
        max={1_000_000_000}
        allowDecimal={false}
        {...form.getInputProps('max_downloads')}
      />
      <TextInput
        label="Cohort"
        description={channelText.cohort}
        placeholder="testers"
        maxLength={50}
        autoComplete="off"
        {...form.getInputProps('cohort')}
      />
    </FormDialog>
  )
}
