import {
  PasswordInput,
  Radio,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Webhook, WebhookEvent } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventTexts } from '../../text/webhook-events.ts'
import { formatHelp, formatNames, webhookText } from '../../text/webhooks.ts'
import { labelsQuery } from '../labels/label.queries.ts'
import { streamsQuery } from '../streams/stream.queries.ts'
import classes from './webhook-dialog.module.css'
import { streamRule, type WebhookForm } from './webhook-form.ts'
import { isChatFormat, suggestedFormat } from './webhook-format.ts'

type Props = { applicationId: string; form: UseFormReturnType<WebhookForm>; isNew: boolean }

const events = Object.keys(eventTexts) as WebhookEvent[]
const eventGroups = [
  { group: 'Builds', items: events.filter((event) => event.startsWith('build.')) },
  { group: 'Releases', items: events.filter((event) => event.startsWith('release.')) },
].map(({ group, items }) => ({
  group,
  items: items.map((value) => ({ value, label: eventTexts[value].title })),
}))

const formats = (Object.entries(formatNames) as [Webhook['format'], string][]).map(([value, label]) => ({
  value,
  label,
}))

/** The fields of a webhook. The format follows the URL until the person selects one. */
export function WebhookFields({ applicationId, form, isNew }: Props) {
  const [hasSelectedFormat, setHasSelectedFormat] = useState(!isNew)
  return (
    <Stack gap="md">
      <TextInput
        label="URL"
        placeholder="https://example.com/hook"
        required
        data-autofocus
        maxLength={2000}
        {...form.getInputProps('url')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('url', value)
          if (!hasSelectedFormat) form.setFieldValue('format', suggestedFormat(value))
        }}
      />
      <Textarea
        label="Description"
        placeholder="What the receiver does"
        autosize
        minRows={1}
        maxRows={4}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      <EventSelect form={form} />
      <NarrowingFields applicationId={applicationId} form={form} />
      <FormatField form={form} onSelect={() => setHasSelectedFormat(true)} />
      {isNew && <SecretFields form={form} />}
    </Stack>
  )
}

function EventSelect({ form }: Pick<Props, 'form'>) {
  return (
    <Select
      label="Event"
      description={eventTexts[form.values.event].description}
      data={eventGroups}
      allowDeselect={false}
      maxDropdownHeight={320}
      renderOption={({ option }) => (
        <div>
          <Text fz="sm">{option.label}</Text>
          <Text fz="xs" c="dimmed">
            {eventTexts[option.value as WebhookEvent].description}
          </Text>
        </div>
      )}
      {...form.getInputProps('event')}
      onChange={(value) => {
        if (value === null) return
        form.setFieldValue('event', value as WebhookEvent)
        if (streamRule(value as WebhookEvent) === 'not allowed') form.setFieldValue('stream', null)
      }}
    />
  )
}

function NarrowingFields({ applicationId, form }: Omit<Props, 'isNew'>) {
  const { data: streams = [] } = useQuery(streamsQuery(applicationId))
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  const rule = streamRule(form.values.event)
  const options = (items: readonly { id: string; name: string }[]) =>
    items.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className={classes.narrowing}>
      {rule !== 'not allowed' && (
        <Select
          label="Only in the stream"
          placeholder={rule === 'required' ? 'Select a stream' : 'Any stream'}
          required={rule === 'required'}
          clearable={rule === 'optional'}
          data={options(streams)}
          searchable
          {...form.getInputProps('stream')}
        />
      )}
      <Select
        label="Only with the label"
        placeholder="Any label"
        clearable
        searchable
        data={options(labels)}
        {...form.getInputProps('label')}
      />
    </div>
  )
}

function FormatField({ form, onSelect }: Pick<Props, 'form'> & { onSelect: () => void }) {
  const { format } = form.values
  return (
    <div>
      <Text fz="sm" fw={500} mb={4} id="webhook-format">
        Format
      </Text>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby="webhook-format"
        data={formats}
        value={format}
        onChange={(value) => {
          onSelect()
          form.setFieldValue('format', value)
        }}
      />
      <Text fz="xs" c="dimmed" mt={4}>
        {formatHelp[format]}
      </Text>
    </div>
  )
}

function SecretFields({ form }: Pick<Props, 'form'>) {
  if (isChatFormat(form.values.format))
    return (
      <Text fz="xs" c="dimmed">
        {webhookText.chatSecret}
      </Text>
    )
  return (
    <Radio.Group label="Secret" {...form.getInputProps('secretKind')}>
      <Stack gap={8} mt={6}>
        <Radio value="generated" label="Generate a secret and sign each request" />
        <Radio value="own" label="Use my own secret" />
        {form.values.secretKind === 'own' && (
          <PasswordInput
            ml={28}
            aria-label="Secret"
            placeholder="At least 8 characters"
            required
            minLength={8}
            maxLength={255}
            autoComplete="new-password"
            {...form.getInputProps('secret')}
          />
        )}
        <Radio value="none" label="Do not sign requests" />
      </Stack>
    </Radio.Group>
  )
}
