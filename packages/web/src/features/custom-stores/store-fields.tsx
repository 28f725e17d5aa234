import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { storeText } from '../../text/custom-stores.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { acls, type StoreValues } from './store-form.ts'

type Props = { form: UseFormReturnType<StoreValues>; hasKeys: boolean }

/** The fields of a bucket. `hasKeys` is whether keys were saved, which are then optional. */
export function StoreFields({ form, hasKeys }: Props) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Endpoint"
          description={storeText.endpoint}
          autoComplete="off"
          inputMode="url"
          {...form.getInputProps('endpoint')}
        />
        <TextInput
          label="Region"
          description={storeText.region}
          autoComplete="off"
          {...form.getInputProps('region')}
        />
        <TextInput
          label="Bucket"
          description="Name of an existing bucket."
          autoComplete="off"
          {...form.getInputProps('bucket')}
        />
        <TextInput
          label="Prefix"
          description={storeText.prefix}
          autoComplete="off"
          {...form.getInputProps('prefix')}
        />
        <TextInput
          label="Access key"
          description={hasKeys ? storeText.keepKeys : storeText.keys}
          autoComplete="off"
          {...form.getInputProps('access_key_id')}
        />
        <PasswordField
          label="Secret key"
          description={storeText.keys}
          autoComplete="off"
          {...form.getInputProps('secret_access_key')}
        />
      </SimpleGrid>
      <Select
        label="ACL"
        description={storeText.acl}
        data={acls}
        allowDeselect={false}
        {...form.getInputProps('acl')}
      />
      <Checkbox
        label="Path style"
        description={storeText.pathStyle}
        {...form.getInputProps('force_path_style', { type: 'checkbox' })}
      />
    </>
  )
}
