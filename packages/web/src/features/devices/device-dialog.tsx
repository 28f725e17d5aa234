import { TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { Device } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { deviceText } from '../../text/distribution/devices.ts'
import { fieldText } from '../../text/fields.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { reloadDevices } from './device.queries.ts'

const udidFormat = /^\s*(?:[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f]{16})\s*$/i

/** Adds a device, or changes one if it is passed. */
export function DeviceDialog({ device, onClose }: { device?: Device; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { udid: device?.udid ?? '', name: device?.name ?? '', email: device?.email ?? '' },
    validate: {
      name: isNotEmpty(fieldText.enterName),
      udid: (value) => (udidFormat.test(value) ? null : deviceText.enterUdid),
    },
  })
  async function save({ udid, name, email }: typeof form.values): Promise<void> {
    const fields = { name: name.trim(), email: email.trim() === '' ? null : email.trim() }
    await (device === undefined
      ? api.createDevice({ body: { ...fields, udid: udid.trim() } })
      : api.updateDevice({ device_id: device.id, body: fields }))
    onClose()
    await reloadDevices(queryClient)
  }
  return (
    <FormDialog
      title={device === undefined ? 'Add a device' : 'Edit device'}
      submitLabel={device === undefined ? 'Add device' : 'Save'}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput label="Name" required maxLength={50} data-autofocus {...form.getInputProps('name')} />
      {device === undefined && (
        <TextInput
          label="UDID"
          description={deviceText.udidHint}
          placeholder="00008140-001A2B3C4D5E6F70"
          required
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('udid')}
        />
      )}
      <TextInput label="Email address" type="email" maxLength={254} {...form.getInputProps('email')} />
    </FormDialog>
  )
}
