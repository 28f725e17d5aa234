import { Button, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import type { RedeliverWebhookRequestsParams, Webhook } from '@quayside/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../api/errors.ts'
import { webhookText } from '../../text/webhooks.ts'
import { plural } from '../../ui/bytes.ts'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { showDone } from '../../ui/toast.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'

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
  const [state, setState] = useState<'failed' | 'all'>('failed')
  const [period, setPeriod] = useState<Period>('all')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const redeliver = useMutation({
    mutationFn: () => redeliverAll(webhook, rangeOf({ state, period, from, to })),
    onSuccess: async (count) => {
      showDone(count === 0 ? 'No request to redeliver.' : `${plural(count, 'request')} queued.`)
      onClose()
      await reload()
    },
  })
  const errors = fieldErrorsOf(redeliver.error)
  const isIncomplete = period === 'custom' && from === '' && to === '' && state === 'all'
  return (
    <Modal opened onClose={onClose} title="Redeliver requests">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          redeliver.mutate()
        }}
      >
        <Stack>
          <Radio.Group
            label="Requests"
            value={state}
            onChange={(value) => setState(value === 'all' ? 'all' : 'failed')}
          >
            <Stack gap={8} mt={6}>
              <Radio value="failed" label="Failed requests" />
              <Radio
                value="all"
                label="All requests"
                description="For a receiver that responded but lost them."
              />
            </Stack>
          </Radio.Group>
          <Select
            label="Time"
            data={periods}
            value={period}
            allowDeselect={false}
            onChange={(value) => setPeriod((value ?? 'all') as Period)}
          />
          {period === 'custom' && (
            <Group grow align="start">
              <TextInput
                type="datetime-local"
                label="From"
                value={from}
                error={errors['created_after']}
                onChange={(event) => setFrom(event.currentTarget.value)}
              />
              <TextInput
                type="datetime-local"
                label="To"
                value={to}
                error={errors['created_before']}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
            </Group>
          )}
          <Text fz="xs" c="dimmed">
            {webhookText.redeliver}
          </Text>
          {redeliver.error !== null && <FailureBanner error={redeliver.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={redeliver.isPending} disabled={isIncomplete}>
              Redeliver
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type Selection = { state: 'failed' | 'all'; period: Period; from: string; to: string }

/** Returns the range for the API, which requires at least one condition. */
function rangeOf({ state, period, from, to }: Selection): Range {
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
