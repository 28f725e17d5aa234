import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CustomStore, CustomStoreReport } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { storeText } from '../../text/custom-stores.ts'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { StoreFields } from './store-fields.tsx'
import { storeInput, storeValues } from './store-form.ts'

type Props = {
  applicationId: string
  /** The saved store, if there is one. */
  store: CustomStore | null
  onReport: (report: CustomStoreReport | undefined) => void
  onSaved: () => Promise<unknown>
  onCancel: (() => void) | undefined
}

/** Edits the bucket of an application. Tests it first and saves it only if every step passes. */
export function StoreEditor({ applicationId, store, onReport, onSaved, onCancel }: Props) {
  const form = useForm({ initialValues: storeValues(store) })
  const [isSaving, setIsSaving] = useState(true)
  const { submit, isRunning, error } = useSubmit(form, async (values) => {
    onReport(undefined)
    const call = { application_id: applicationId, body: storeInput(values) }
    const { data: report } = await api.testCustomStore(call)
    onReport(report)
    if (!report.passed || !isSaving) return
    await api.replaceCustomStore(call)
    await onSaved()
  })
  return (
    <form onSubmit={submit} noValidate aria-label="Bucket">
      <Stack>
        <StoreFields form={form} hasKeys={store !== null} />
        <Text fz="sm" c="dimmed">
          {storeText.test}
        </Text>
        {error !== undefined && <FailureBanner error={error} />}
        <Group gap="xs">
          <Button type="submit" loading={isRunning && isSaving} onClick={() => setIsSaving(true)}>
            Test and save
          </Button>
          <Button
            type="submit"
            variant="default"
            loading={isRunning && !isSaving}
            onClick={() => setIsSaving(false)}
          >
            Test only
          </Button>
          {onCancel !== undefined && (
            <Button variant="subtle" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
