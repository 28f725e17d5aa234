import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'
import { fieldText } from '../../text/fields.ts'
import { Notice } from '../notice.tsx'

/**
 * Keeps a form up to date with what is stored until something is typed in it. Afterwards, `isNewer` is set if somebody else has
 * changed the stored values, and `load` replaces the values of the form with them. Without `stored`, does nothing.
 */
export function useStoredVersion<Values extends object>(
  form: UseFormReturnType<Values>,
  stored: Values | undefined,
): { isNewer: boolean; load: () => void } {
  const version = JSON.stringify(stored)
  const [base, setBase] = useState(version)
  const isNewer = stored !== undefined && version !== base
  const isUntouched = !form.isDirty() || JSON.stringify(form.getValues()) === version
  const load = () => {
    if (stored === undefined) return
    form.setInitialValues(stored)
    form.setValues(stored)
    form.resetDirty(stored)
    setBase(version)
  }
  useEffect(() => {
    if (isNewer && isUntouched) load()
  })
  return { isNewer: isNewer && !isUntouched, load }
}

/** Says that saving would replace what somebody else has stored while the person was typing. */
export function NewerVersion({ onLoad }: { onLoad: () => void }) {
  return (
    <Notice
      kind="warn"
      title={fieldText.newer.title}
      action={
        <Button size="xs" variant="default" onClick={onLoad}>
          {fieldText.newer.load}
        </Button>
      }
    >
      {fieldText.newer.detail}
    </Notice>
  )
}
