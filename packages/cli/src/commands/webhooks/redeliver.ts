import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatQueuedDelivery } from './format-webhook.ts'

export function addWebhooksRedeliver(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'redeliver <webhook> <delivery>',
    summary: 'send a webhook delivery again',
    example:
      'quayside webhooks redeliver 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e 01998f70-5b7e-7c11-8d02-6a9b3c5e7f21',
    async run(context, [webhook_id = '', webhook_request_id = '']) {
      const application_id = await requireApplicationId(context)
      const { data } = await withNotFoundMessage(
        context
          .client()
          .redeliverWebhookRequest(
            { application_id, webhook_id, webhook_request_id },
            { signal: context.signal },
          ),
        `Delivery ${webhook_request_id} was not found. Run \`quayside webhooks deliveries ${webhook_id}\` to see the deliveries.`,
      )
      context.output.result(data, () => formatQueuedDelivery(webhook_id, data))
    },
  })
}
