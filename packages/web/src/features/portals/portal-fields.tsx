import { Radio, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Portal } from '@quayside/sdk'
import { portalText } from '../../text/portals.ts'

export type PortalValues = {
  name: string
  description: string
  type: 'public' | 'private'
  subdomain: string
}

export const emptyPortal: PortalValues = { name: '', description: '', type: 'private', subdomain: '' }

export const portalValuesOf = ({ name, description, type, subdomain }: Portal): PortalValues => ({
  name,
  description: description ?? '',
  type,
  subdomain: subdomain ?? '',
})

/** Returns the body of a request. An empty text removes the value. */
export const portalBodyOf = ({ name, description, type, subdomain }: PortalValues) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
  type,
  subdomain: subdomain.trim() === '' ? null : subdomain.trim(),
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
      <TextInput
        label="Short name"
        description={portalText.subdomain}
        maxLength={63}
        disabled={isDisabled}
        key={form.key('subdomain')}
        {...form.getInputProps('subdomain')}
      />
    </>
  )
}
