import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { FailureBanner } from '../loading/failure-banner.tsx'
import { NewerVersion, useStoredVersion } from './stored-version.tsx'
import { useSubmit } from './use-submit.ts'

type Props<Values extends object> = {
  form: UseFormReturnType<Values>
  onSubmit: (values: Values) => Promise<unknown>
  canEdit: boolean
  /** What is stored now, which others may change while the form is open. */
  stored?: Values
  /** Buttons beside the one that saves. */
  actions?: ReactNode
  children: ReactNode
}

/** A form on a settings page. Its buttons appear when something was changed. */
export function SettingsForm<Values extends object>({
  form,
  onSubmit,
  canEdit,
  stored,
  actions,
  children,
}: Props<Values>) {
  const { isNewer, load } = useStoredVersion(form, stored)
  const { submit, isRunning, error } = useSubmit(form, async (values) => {
    await onSubmit(values)
    form.resetDirty(values)
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children}
        {isNewer && <NewerVersion onLoad={load} />}
        {error !== undefined && <FailureBanner error={error} />}
        {canEdit && (
          <Group gap="xs">
            <Button type="submit" loading={isRunning} disabled={!form.isDirty()}>
              Save changes
            </Button>
            {form.isDirty() && (
              <Button variant="default" onClick={() => form.reset()}>
                Discard
              </Button>
            )}
            {actions}
          </Group>
        )}
      </Stack>
    </form>
  )
}
