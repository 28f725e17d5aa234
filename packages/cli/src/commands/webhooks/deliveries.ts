import type { WebhookRequest } from '@quayside/sdk'
import { Option, type Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatDelivery, webhookNotFound } from './format-webhook.ts'

const states = ['waiting', 'delivered', 'failed'] as const satisfies WebhookRequest['state'][]

type Options = PageOptions & { state?: WebhookRequest['state'] }

export function addWebhooksDeliveries(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'deliveries <webhook>',
    summary: 'list the deliveries of a webhook, most recent first',
    result: 'listWebhookRequests',
    example: 'quayside webhooks deliveries 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e --state failed',
    options: (command) =>
      withPageOptions(
        command.addOption(new Option('--state <state>', 'only deliveries in this state').choices(states)),
        'deliveries',
      ),
    async run(context, [webhook_id = ''], options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const filter = options.state === undefined ? {} : { state: options.state }
      const newestFirst = { sort_by: 'created_at', sort: 'desc' } as const
      await printPage(context, options, {
        noun: 'deliveries',
        fetchPage: (page, per_page) =>
          withNotFoundMessage(
            client.listWebhookRequests(
              { application_id, webhook_id, ...filter, ...newestFirst, page, per_page },
              { signal: context.signal },
            ),
            webhookNotFound(webhook_id),
          ),
        headings: ['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'CREATED'],
        row: (request) => [
          request.id,
          request.event,
          formatDelivery(request),
          request.delivery_attempts,
          formatTime(request.created_at),
        ],
      })
    },
  })
}
