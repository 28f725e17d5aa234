import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CustomTarget } from '@quayside/sdk'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { ImageField } from '../../ui/forms/image-field.tsx'
import {
  createCustomTarget,
  deleteCustomTargetIcon,
  replaceCustomTargetIcon,
  updateCustomTarget,
} from './custom-target.queries.ts'

type Props = {
  applicationId: string | undefined
  /** The custom target to change; a new one if undefined. */
  target: CustomTarget | undefined
  platforms: readonly { identifier: string; name: string }[]
  onSaved: () => Promise<unknown>
  onClose: () => void
}

/** Creates or changes a custom target, with its icon once it exists. */
export function CustomTargetDialog({ applicationId, target, platforms, onSaved, onClose }: Props) {
  const form = useForm({
    initialValues: {
      name: target?.name ?? '',
      description: target?.description ?? '',
      platform: target?.platform.identifier ?? platforms[0]?.identifier ?? '',
    },
  })
  return (
    <FormDialog
      title={target === undefined ? 'New custom target' : `Custom target ${target.name}`}
      submitLabel={target === undefined ? 'Create custom target' : 'Save'}
      form={form}
      onClose={onClose}
      onSubmit={async ({ name, description: text, platform }) => {
        const description = text === '' ? null : text
        await (target === undefined
          ? createCustomTarget(applicationId, { name, description, platform })
          : updateCustomTarget(applicationId, target.id, { name, description }))
        await onSaved()
        onClose()
      }}
    >
      {target !== undefined && (
        <ImageField
          label="Icon"
          name={target.name}
          url={target.icon_url}
          canEdit
          onSave={async ({ content_type, data }) => {
            await replaceCustomTargetIcon(applicationId, target.id, { content_type, data })
            await onSaved()
          }}
          onDelete={async () => {
            await deleteCustomTargetIcon(applicationId, target.id)
            await onSaved()
          }}
        />
      )}
      <TextInput label="Name" {...form.getInputProps('name')} data-autofocus autoComplete="off" />
      {target === undefined && (
        <NativeSelect
          label="Platform"
          {...form.getInputProps('platform')}
          data={platforms.map(({ identifier, name }) => ({ value: identifier, label: name }))}
        />
      )}
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
    </FormDialog>
  )
}
