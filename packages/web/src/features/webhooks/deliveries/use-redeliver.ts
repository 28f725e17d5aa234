import type { Webhook, WebhookRequest } from '@quayside/sdk'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { webhookText } from '../../../text/webhooks.ts'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { useWebhookActions } from '../use-webhook-actions.ts'

/** Returns a mutation that redelivers requests, oldest first, and resolves with the redeliveries. */
export function useRedeliver(webhook: Webhook) {
  const { reload } = useWebhookActions(webhook)
  return useMutation({
    mutationFn: async (requests: readonly Pick<WebhookRequest, 'id' | 'created_at'>[]) => {
      const redeliveries = []
      for (const { id } of requests.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
        const { data } = await api.redeliverWebhookRequest({
          application_id: webhook.application_id,
          webhook_id: webhook.id,
          webhook_request_id: id,
        })
        redeliveries.push(data)
      }
      return redeliveries
    },
    onSuccess: (redeliveries) => showDone(webhookText.queued(redeliveries.length)),
    onError: showFailure,
    onSettled: reload,
  })
}
