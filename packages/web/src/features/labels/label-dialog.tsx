import { ColorInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Label } from '@quayside/sdk'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import { labelColors } from './label-colors.ts'
import { createLabel, updateLabel, type LabelFields } from './label.queries.ts'

type Props = {
  applicationId: string | undefined
  /** The label to change; a new one if undefined. */
  label: Label | undefined
  onSaved: () => Promise<unknown>
  onClose: () => void
}

/** Creates or changes a label. */
export function LabelDialog({ applicationId, label, onSaved, onClose }: Props) {
  const form = useForm({
    initialValues: {
      name: label?.name ?? '',
      description: label?.description ?? '',
      color: label?.color ?? '#30a46c',
    },
  })
  const { name, color } = form.values
  return (
    <FormDialog
      title={label === undefined ? 'New label' : `Label ${label.name}`}
      submitLabel={label === undefined ? 'Create label' : 'Save'}
      form={form}
      onClose={onClose}
      onSubmit={async ({ description, ...values }) => {
        const fields: LabelFields = { ...values, description: description === '' ? null : description }
        await (label === undefined
          ? createLabel(applicationId, fields)
          : updateLabel(applicationId, label.id, fields))
        await onSaved()
        onClose()
      }}
    >
      <TextInput label="Name" {...form.getInputProps('name')} data-autofocus autoComplete="off" />
      <ColorInput
        label="Color"
        swatches={labelColors}
        swatchesPerRow={10}
        withEyeDropper={false}
        {...form.getInputProps('color')}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <div>
        <LabelDot name={name === '' ? 'Preview' : name} color={color} />
      </div>
    </FormDialog>
  )
}
