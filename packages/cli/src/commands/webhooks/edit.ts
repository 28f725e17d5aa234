import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatWebhook, webhookNotFound } from './format-webhook.ts'
import { webhookFields, withWebhookOptions } from './webhook-options.ts'
import type { WebhookOptions } from './webhook-options.ts'

export function addWebhooksEdit(parent: Command, runtime: Runtime): void {
  addCommand<WebhookOptions>(parent, runtime, {
    usage: 'edit <webhook>',
    summary: 'change a webhook',
    description: 'Change a webhook. "" removes its stream, label or description.',
    result: 'updateWebhook',
    example: 'quayside webhooks edit 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e --no-active',
    options: (command) =>
      withWebhookOptions(command.option('--url <url>', 'URL to send requests to'))
        .option('--active', 'activate the webhook')
        .option('--no-active', 'deactivate the webhook'),
    async run(context, [webhook_id = ''], options) {
      const body = await webhookFields(context, options)
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add at least one option, such as --url.')
      const application_id = await requireApplicationId(context)
      const { data } = await withNotFoundMessage(
        context.client().updateWebhook({ application_id, webhook_id, body }, { signal: context.signal }),
        webhookNotFound(webhook_id),
      )
      context.output.result(data, () => formatWebhook(data))
    },
  })
}
