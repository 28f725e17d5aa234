import type { RedeliverWebhookRequestsParams } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { parseTimeOrAge } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatQueuedDelivery, webhookNotFound } from './format-webhook.ts'

type Selection = RedeliverWebhookRequestsParams['body']
type Options = { failed?: boolean; since?: string; until?: string }

export function addWebhooksRedeliver(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'redeliver <webhook> [delivery]',
    summary: 'send webhook deliveries again',
    description:
      'Send one delivery of a webhook again, or every delivery that the options select. The options skip deliveries\n' +
      'that are pending or have already been sent again.',
    result: ['redeliverWebhookRequest', { redelivered_count: false }],
    example: 'quayside webhooks redeliver 01998f6e-0c1d-7a52-9c1e-3f4b5a6c7d8e --failed --since 12h',
    options: (command) =>
      command
        .option('--failed', 'only failed deliveries')
        .option(
          '--since <time>',
          'only deliveries created at or after this time; 12h means 12 hours ago',
          parseTimeOrAge,
        )
        .option(
          '--until <time>',
          'only deliveries created before this time; 12h means 12 hours ago',
          parseTimeOrAge,
        ),
    async run(context, [webhook_id = '', webhook_request_id], options) {
      const hasOptions = Object.keys(selection(options)).length > 0
      if ((webhook_request_id === undefined) !== hasOptions)
        throw new Failure(
          'usage',
          'Specify either a delivery ID or at least one of --failed, --since and --until.',
        )
      const application_id = await requireApplicationId(context)
      if (webhook_request_id === undefined)
        await redeliverSelected(context, { application_id, webhook_id, body: selection(options) })
      else await redeliverOne(context, { application_id, webhook_id, webhook_request_id })
    },
  })
}

function selection({ failed, since, until }: Options): Selection {
  return {
    ...(failed === true ? { state: 'failed' } : {}),
    ...(since === undefined ? {} : { created_after: since }),
    ...(until === undefined ? {} : { created_before: until }),
  }
}

type One = { application_id: string; webhook_id: string; webhook_request_id: string }

async function redeliverOne(context: CommandContext, target: One): Promise<void> {
  const { webhook_id, webhook_request_id } = target
  const { data } = await withNotFoundMessage(
    context.client().redeliverWebhookRequest(target, { signal: context.signal }),
    `Delivery ${webhook_request_id} was not found. Run \`quayside webhooks deliveries ${webhook_id}\` to see the deliveries.`,
  )
  context.output.result(data, () => formatQueuedDelivery(webhook_id, data))
}

async function redeliverSelected(
  context: CommandContext,
  { body, ...target }: RedeliverWebhookRequestsParams,
): Promise<void> {
  const { webhook_id } = target
  const selected = { ...target, body: { ...body } }
  let redelivered_count = 0
  for (let hasMore = true; hasMore;) {
    const { data } = await withNotFoundMessage(
      context.client().redeliverWebhookRequests(selected, { signal: context.signal }),
      webhookNotFound(webhook_id),
    )
    redelivered_count += data.redelivered_count
    hasMore = data.has_more
    selected.body.created_before = data.created_before
  }
  context.output.result({ redelivered_count }, () =>
    redelivered_count === 0
      ? 'No deliveries to send again.'
      : `Queued ${redelivered_count === 1 ? '1 delivery' : `${redelivered_count} deliveries`}. ` +
        `Run \`quayside webhooks deliveries ${webhook_id}\` to see the results.`,
  )
}
