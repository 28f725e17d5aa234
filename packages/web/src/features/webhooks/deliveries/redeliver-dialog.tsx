import { Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { RedeliverWebhookRequestsParams, Webhook } from '@quayside/sdk'
import { api } from '../../../api/client.ts'
import { webhookText } from '../../../text/webhooks.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { showDone } from '../../../ui/toast.tsx'
import { useWebhookActions } from '../use-webhook-actions.ts'

type Range = RedeliverWebhookRequestsParams['body']
type Period = 'all' | '1' | '24' | '168' | 'custom'

const periods = [
  { value: 'all', label: 'All kept requests (30 days)' },
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: 'custom', label: 'From … to …' },
]
const hourMs = 3_600_000

/** Redelivers the failed requests, or all requests of a time range. */
export function RedeliverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { reload } = useWebhookActions(webhook)
  const form = useForm<Selection>({
    initialValues: { state: 'failed', period: 'all', created_after: '', created_before: '' },
  })
  const { state, period, created_after: from, created_before: to } = form.values
  async function redeliver(selection: Selection): Promise<void> {
    const count = await redeliverAll(webhook, rangeOf(selection))
    showDone(webhookText.queued(count))
    onClose()
    await reload()
  }
  return (
    <FormDialog
      title="Redeliver requests"
      submitLabel="Redeliver"
      form={form}
      onSubmit={redeliver}
      onClose={onClose}
      isDisabled={period === 'custom' && from === '' && to === '' && state === 'all'}
    >
      <Radio.Group label="Requests" {...form.getInputProps('state')}>
        <Stack gap={8} mt={6}>
          <Radio value="failed" label="Failed requests" />
          <Radio value="all" label="All requests" description={webhookText.lostRequests} />
        </Stack>
      </Radio.Group>
      <Select label="Time" data={periods} allowDeselect={false} {...form.getInputProps('period')} />
      {period === 'custom' && (
        <Group grow align="start">
          <TextInput type="datetime-local" label="From" {...form.getInputProps('created_after')} />
          <TextInput type="datetime-local" label="To" {...form.getInputProps('created_before')} />
        </Group>
      )}
      <Text fz="xs" c="dimmed">
        {webhookText.redeliver}
      </Text>
    </FormDialog>
  )
}

type Selection = { state: 'failed' | 'all'; period: Period; created_after: string; created_before: string }

/** Returns the range for the API, which requires at least one condition. */
function rangeOf({ state, period, created_after: from, created_before: to }: Selection): Range {
  const hours = period === 'all' ? 30 * 24 : Number(period)
  const after = period === 'custom' ? from : new Date(Date.now() - hours * hourMs).toISOString()
  return {
    ...(state === 'failed' ? { state } : {}),
    ...(after === '' ? {} : { created_after: new Date(after).toISOString() }),
    ...(period === 'custom' && to !== '' ? { created_before: new Date(to).toISOString() } : {}),
  }
}

/** Repeats the call until no more requests match. Returns the number of redeliveries. */
async function redeliverAll({ application_id, id }: Webhook, range: Range): Promise<number> {
  let count = 0
  let body = range
  for (;;) {
    const { data } = await api.redeliverWebhookRequests({ application_id, webhook_id: id, body })
    count += data.redelivered_count
    if (!data.has_more) return count
    body = { ...range, created_before: data.created_before }
  }
}
