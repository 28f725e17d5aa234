import { Select, SimpleGrid, TextInput, type InputWrapperProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { storeText } from '../../text/custom-stores.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { acls, addressings, type StoreValues } from './store-form.ts'

const order: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

type Props = { form: UseFormReturnType<StoreValues>; hasKeys: boolean }

/** The fields of a bucket. `hasKeys` is whether keys were saved, which are then optional. */
export function StoreFields({ form, hasKeys }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <LocationFields form={form} />
      <TextInput
        label="Access key"
        description={hasKeys ? storeText.keepKeys : storeText.keys}
        autoComplete="off"
        inputWrapperOrder={order}
        {...form.getInputProps('access_key_id')}
      />
      <PasswordField
        label="Secret key"
        description={storeText.keys}
        autoComplete="off"
        {...form.getInputProps('secret_access_key')}
      />
      <Select
        label="Bucket in URLs"
        description={storeText.pathStyle}
        data={addressings}
        allowDeselect={false}
        inputWrapperOrder={order}
        {...form.getInputProps('addressing')}
      />
      <Select
        label="Upload ACL"
        description={storeText.acl}
        data={acls}
        allowDeselect={false}
        inputWrapperOrder={order}
        {...form.getInputProps('acl')}
      />
    </SimpleGrid>
  )
}

function LocationFields({ form }: Pick<Props, 'form'>) {
  return (
    <>
      <TextInput
        label="Endpoint"
        description={storeText.endpoint}
        autoComplete="off"
        inputMode="url"
        inputWrapperOrder={order}
        {...form.getInputProps('endpoint')}
      />
      <TextInput
        label="Region"
        description={storeText.region}
        autoComplete="off"
        inputWrapperOrder={order}
        {...form.getInputProps('region')}
      />
      <TextInput
        label="Bucket"
        description={storeText.bucket}
        autoComplete="off"
        inputWrapperOrder={order}
        {...form.getInputProps('bucket')}
      />
      <TextInput
        label="Prefix"
        description={storeText.prefix}
        autoComplete="off"
        inputWrapperOrder={order}
        {...form.getInputProps('prefix')}
      />
    </>
  )
}
