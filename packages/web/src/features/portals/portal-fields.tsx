import { ColorInput, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Portal } from '@quayside/sdk'
import { useState } from 'react'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { portalText } from '../../text/distribution/portals.ts'

export type PortalValues = {
  name: string
  description: string
  type: 'public' | 'private'
  subdomain: string
  accent_color: string
  /** One entry per line. */
  allowed_visitors: string
  feedback_enabled: boolean
}

export const emptyPortal: PortalValues = {
  name: '',
  description: '',
  type: 'private',
  subdomain: '',
  accent_color: '',
  allowed_visitors: '',
  feedback_enabled: false,
}

export const portalValuesOf = ({ name, description, type, subdomain, ...portal }: Portal): PortalValues => ({
  name,
  description: description ?? '',
  type,
  subdomain: subdomain ?? '',
  accent_color: portal.accent_color ?? '',
  allowed_visitors: portal.allowed_visitors.join('\n'),
  feedback_enabled: portal.feedback_enabled,
})

/** Returns the body of a request. An empty text removes the value. */
export const portalBodyOf = ({
  name,
  description,
  type,
  subdomain,
  accent_color,
  allowed_visitors,
  feedback_enabled,
}: PortalValues) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
  type,
  subdomain: subdomain.trim() === '' ? null : subdomain.trim(),
  accent_color: accent_color.trim() === '' ? null : accent_color.trim(),
  allowed_visitors: allowed_visitors.split(/[\s,;]+/).filter((entry) => entry !== ''),
  feedback_enabled,
})

/** The fields of a new portal and of its details. */
export function PortalFields({
  form,
  isDisabled = false,
}: {
  form: UseFormReturnType<PortalValues>
  isDisabled?: boolean
}) {
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={100}
        disabled={isDisabled}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxLength={1000}
        disabled={isDisabled}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <Radio.Group label="Visitors" key={form.key('type')} {...form.getInputProps('type')}>
        <Stack gap={8} mt={6}>
          <Radio value="public" label="Public" description={portalText.types.public} disabled={isDisabled} />
          <Radio
            value="private"
            label="Private"
            description={portalText.types.private}
            disabled={isDisabled}
          />
        </Stack>
      </Radio.Group>
      <PortalVisitors form={form} isDisabled={isDisabled} />
      <ColorInput
        label="Accent color"
        description={portalText.color}
        placeholder="#0b6bcb"
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
        disabled={isDisabled}
        key={form.key('accent_color')}
        {...form.getInputProps('accent_color')}
      />
      <TextInput
        label="Short name"
        description={portalText.subdomain}
        maxLength={63}
        disabled={isDisabled}
        key={form.key('subdomain')}
        {...form.getInputProps('subdomain')}
      />
      <Switch
        label={feedbackText.setting}
        description={feedbackText.settingHelp}
        disabled={isDisabled}
        key={form.key('feedback_enabled')}
        {...form.getInputProps('feedback_enabled', { type: 'checkbox' })}
      />
    </>
  )
}

/** The addresses and domains that a private portal allows. They are kept while a portal is public. */
function PortalVisitors({
  form,
  isDisabled,
}: {
  form: UseFormReturnType<PortalValues>
  isDisabled: boolean
}) {
  const [type, setType] = useState(form.getValues().type)
  form.watch('type', ({ value }) => setType(value))
  if (type !== 'private') return null
  return (
    <Textarea
      label="Allowed visitors"
      description={portalText.visitors}
      placeholder="@example.com"
      autosize
      minRows={2}
      maxRows={12}
      autoCapitalize="none"
      spellCheck={false}
      disabled={isDisabled}
      key={form.key('allowed_visitors')}
      {...form.getInputProps('allowed_visitors')}
    />
  )
}
