import type { UseFormReturnType } from '@mantine/form'
import { QuaysideError } from '@quayside/sdk'
import { useState, type SyntheticEvent } from 'react'
import { fieldErrorsOf } from '../../api/errors.ts'

type Submit = {
  submit: (event: SyntheticEvent<HTMLFormElement>) => void
  isRunning: boolean
  /** The error of the last attempt if it belongs to no field of the form. */
  error: unknown
}

/** Sends a form once at a time. Shows errors of the server next to their fields and focuses the first of these fields. */
export function useSubmit<Values extends object>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
): Submit {
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function run(values: Values): Promise<void> {
    setIsRunning(true)
    setError(undefined)
    try {
      await send(values)
    } catch (failure) {
      const known = Object.entries(errorsOf(failure)).filter(([path]) => path in values)
      form.setErrors(Object.fromEntries(known))
      const [first] = known
      if (first === undefined) setError(failure)
      else form.getInputNode(first[0])?.focus()
    } finally {
      setIsRunning(false)
    }
  }
  return {
    submit: form.onSubmit((values) => {
      if (!isRunning) void run(values)
    }),
    isRunning,
    error,
  }
}

/** Returns errors by field. A conflict such as `label.name_taken` belongs to the field in its code. */
function errorsOf(failure: unknown): Record<string, string> {
  if (!(failure instanceof QuaysideError)) return {}
  const [, field] = /\.(\w+)_taken$/.exec(failure.code) ?? []
  return field === undefined ? fieldErrorsOf(failure) : { [field]: failure.message }
}
