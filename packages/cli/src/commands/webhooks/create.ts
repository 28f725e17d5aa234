import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatWebhook } from './format-webhook.ts'
import { webhookFields, withWebhookOptions } from './webhook-options.ts'
import type { WebhookOptions } from './webhook-options.ts'

export function addWebhooksCreate(parent: Command, runtime: Runtime): void {
  addCommand<WebhookOptions>(parent, runtime, {
    usage: 'create <url>',
    summary: 'create a webhook',
    result: 'createWebhook',
    example: 'quayside webhooks create https://example.com/hook --event build.created',
    options: (command) =>
      withWebhookOptions(command).option('--no-active', 'create the webhook without activating it'),
    async run(context, [url = ''], options) {
      const { event } = options
      if (event === undefined)
        throw new Failure('usage', 'An event is required. Add --event, for example --event build.created.')
      const application_id = await requireApplicationId(context)
      const body = { url, event, ...(await webhookFields(context, options)) }
      const { data } = await context
        .client()
        .createWebhook({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => formatWebhook(data))
    },
  })
}
