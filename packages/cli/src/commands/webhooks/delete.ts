import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { webhookNotFound } from './format-webhook.ts'

export function addWebhooksDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <webhook>',
    summary: 'delete a webhook',
    result: { id: false, deleted: false },
    example: 'quayside webhooks delete 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e',
    options: (command) => command.option(...yesOption),
    async run(context, [webhook_id = ''], options) {
      const application_id = await requireApplicationId(context)
      await confirmDeletion(context, options, `Delete the webhook ${webhook_id}?`)
      const { message } = await withNotFoundMessage(
        context.client().deleteWebhook({ application_id, webhook_id }, { signal: context.signal }),
        webhookNotFound(webhook_id),
      )
      context.output.result({ id: webhook_id, deleted: true }, () => message)
    },
  })
}
