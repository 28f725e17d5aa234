import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'

type Props = {
  title: string
  confirmLabel?: string
  /** What the action does. */
  children?: ReactNode
  onConfirm: (password: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password before a change of how the person signs in. */
export function PasswordDialog({ title, confirmLabel = 'Continue', children, onConfirm, onClose }: Props) {
  const form = useForm({ initialValues: { password: '' } })
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      form={form}
      onSubmit={({ password }) => onConfirm(password)}
      onClose={onClose}
    >
      {children !== undefined && <div>{children}</div>}
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('password')}
      />
    </FormDialog>
  )
}
