import { Checkbox, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { Channel, ChannelFormat } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { channelText, formatTexts } from '../../text/distribution/channels.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import { streamsQuery } from '../streams/stream.queries.ts'
import { reloadChannels } from './channel.queries.ts'

type Props = { applicationId: string; channel?: Channel; onClose: () => void }

const allFormats = Object.keys(formatTexts) as ChannelFormat[]

/** Creates a channel and opens its page, or changes one if it is passed. */
export function ChannelDialog({ applicationId, channel, onClose }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: streams = [] } = useQuery(streamsQuery(applicationId))
  const form = useForm({
    initialValues: {
      name: channel?.name ?? '',
      stream: channel?.stream?.id ?? '',
      includes_prereleases: channel?.includes_prereleases ?? false,
      formats: channel?.formats ?? ([] as ChannelFormat[]),
      access: channel?.access ?? 'public',
    },
    validate: {
      name: isNotEmpty(fieldText.enterName),
      formats: (formats) => (formats.length === 0 ? channelText.formatsError : null),
    },
  })
  async function save({ stream, ...values }: typeof form.values): Promise<void> {
    const body = { ...values, name: values.name.trim(), stream: stream === '' ? null : stream }
    if (channel !== undefined) {
      await api.updateChannel({ application_id: applicationId, channel_id: channel.id, body })
      await reloadChannels(queryClient, applicationId)
      showDone(channelText.saved)
      return onClose()
    }
    const { data: created } = await api.createChannel({ application_id: applicationId, body })
    await reloadChannels(queryClient, applicationId)
    onClose()
    await navigate({
      to: '/applications/$applicationId/distribute/$channelId',
      params: { applicationId, channelId: created.id },
    })
  }
  return (
    <FormDialog
      title={channel === undefined ? 'New channel' : `Edit ${channel.name}`}
      submitLabel={channel === undefined ? 'Create channel' : 'Save'}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Stable"
        maxLength={100}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="Publishes"
        data={[
          { value: '', label: channelText.releases },
          ...streams.map(({ id, name }) => ({ value: id, label: channelText.stream(name) })),
        ]}
        {...form.getInputProps('stream')}
      />
      {form.values.stream === '' && (
        <Checkbox
          label={channelText.includesPrereleases}
          {...form.getInputProps('includes_prereleases', { type: 'checkbox' })}
        />
      )}
      <Checkbox.Group label="Formats" {...form.getInputProps('formats')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} mt={6}>
          {allFormats.map((format) => (
            <Checkbox
              key={format}
              value={format}
              label={formatTexts[format].name}
              description={formatTexts[format].hint}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Radio.Group label="Access" {...form.getInputProps('access')}>
        <Stack gap={8} mt={6}>
          {(['public', 'read_keys'] as const).map((access) => (
            <Radio
              key={access}
              value={access}
              label={channelText.access[access]}
              description={channelText.accessHints[access]}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}
