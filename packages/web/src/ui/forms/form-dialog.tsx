import type { UseFormReturnType } from '@mantine/form'
import type { ComponentProps } from 'react'
import { DialogFrame } from './dialog-frame.tsx'
import { NewerVersion, useStoredVersion } from './stored-version.tsx'
import { useSubmit } from './use-submit.ts'

type Props<Values extends object> = Omit<
  ComponentProps<typeof DialogFrame>,
  'onSubmit' | 'isRunning' | 'error'
> & {
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => Promise<unknown>
  /** What is stored now, which others may change while the dialog is open. */
  stored?: Values
}

/** Asks for the fields of a resource. Stays open with everything that was typed if the server refuses it. */
export function FormDialog<Values extends object>({
  form,
  onSubmit,
  stored,
  children,
  ...frame
}: Props<Values>) {
  const { isNewer, load } = useStoredVersion(form, stored)
  const { submit, isRunning, error } = useSubmit(form, onSubmit)
  return (
    <DialogFrame {...frame} onSubmit={submit} isRunning={isRunning} error={error}>
      {isNewer && <NewerVersion onLoad={load} />}
      {children}
    </DialogFrame>
  )
}
