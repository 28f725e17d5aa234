import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { addPasskey, isPasskeyCanceled } from '../../api/passkeys.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { showDone } from '../../ui/toast.tsx'
import type { Passkey } from './account.queries.ts'
import { deviceName } from './device-name.ts'
import { useRecentSignIn } from './recent-sign-in.tsx'

type Props = { onClose: () => void; onDone: () => Promise<unknown> }

/** Asks for a name and creates a passkey with it. */
export function AddPasskeyDialog({ onClose, onDone }: Props) {
  const { browser, system } = deviceName(navigator.userAgent)
  const form = useForm({ initialValues: { name: `${browser} on ${system}` } })
  const { withRecentSignIn, dialog } = useRecentSignIn()
  async function add(name: string): Promise<void> {
    try {
      await withRecentSignIn(() => addPasskey(name))
    } catch (error) {
      if (isPasskeyCanceled(error)) throw new Error(accountText.passkeyCanceled, { cause: error })
      if (error instanceof Error && error.name === 'InvalidStateError')
        throw new Error(accountText.passkeyExists, { cause: error })
      throw error
    }
    await onDone()
    onClose()
    showDone(accountText.passkeyAdded)
  }
  return (
    dialog ?? (
      <FormDialog
        title="Add a passkey"
        submitLabel="Continue"
        form={form}
        onSubmit={({ name }) => add(name)}
        onClose={onClose}
      >
        <div>{accountText.addPasskey}</div>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </FormDialog>
    )
  )
}

/** Renames a passkey. */
export function RenamePasskeyDialog({ passkey, onClose, onDone }: Props & { passkey: Passkey }) {
  const form = useForm({ initialValues: { name: passkey.name ?? '' } })
  async function rename(name: string): Promise<void> {
    await callSignIn('/passkey/update-passkey', { id: passkey.id, name })
    await onDone()
    onClose()
  }
  return (
    <FormDialog
      title="Rename the passkey"
      submitLabel="Rename"
      form={form}
      onSubmit={({ name }) => rename(name)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
