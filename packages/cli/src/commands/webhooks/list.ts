import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatWebhookState } from './format-webhook.ts'

export function addWebhooksList(parent: Command, runtime: Runtime): void {
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list webhooks',
    result: 'listWebhooks',
    example: 'quayside webhooks list --application "My App"',
    options: (command) => withPageOptions(command, 'webhooks'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      await printPage(context, options, {
        noun: 'webhooks',
        fetchPage: (page, per_page) =>
          client.listWebhooks({ application_id, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'EVENT', 'STREAM', 'STATE', 'URL'],
        row: (webhook) => [
          webhook.id,
          webhook.event,
          webhook.event_subscription.stream?.name,
          formatWebhookState(webhook),
          webhook.url,
        ],
      })
    },
  })
}
