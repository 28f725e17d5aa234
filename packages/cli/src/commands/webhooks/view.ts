import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatWebhook, webhookNotFound } from './format-webhook.ts'

export function addWebhooksView(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'view <webhook>',
    summary: 'show a webhook with its latest delivery',
    result: 'getWebhook',
    example: 'quayside webhooks view 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e',
    async run(context, [webhook_id = '']) {
      const application_id = await requireApplicationId(context)
      const { data } = await withNotFoundMessage(
        context.client().getWebhook({ application_id, webhook_id }, { signal: context.signal }),
        webhookNotFound(webhook_id),
      )
      context.output.result(data, () => formatWebhook(data))
    },
  })
}
