import { Button, Group, Modal, Stack, type ModalProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FailureBanner } from './failure-banner.tsx'
import { useReturnFocus } from './use-return-focus.ts'
import { useSubmit } from './use-submit.ts'

type Props<Values extends object> = {
  title: string
  /** The verb of the action, such as "Create label". */
  submitLabel: string
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
  size?: ModalProps['size']
  children: ReactNode
}

/** Asks for the fields of a resource. Stays open with everything that was typed if the server refuses it. */
export function FormDialog<Values extends object>({
  title,
  submitLabel,
  form,
  onSubmit,
  onClose,
  size,
  children,
}: Props<Values>) {
  const { submit, isRunning, error } = useSubmit(form, onSubmit)
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          {error !== undefined && <FailureBanner error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isRunning}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
