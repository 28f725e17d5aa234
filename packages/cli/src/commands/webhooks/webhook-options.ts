import type { Webhook, WebhookEvent } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { readStandardInput } from '../../standard-input.ts'

export type WebhookOptions = {
  url?: string
  event?: WebhookEvent
  stream?: string
  label?: string
  description?: string
  format?: Webhook['format']
  secretStdin?: boolean
  active?: boolean
}

// The keys are type-checked against the API, so a missing event or format is a compile-time error.
const events = Object.keys({
  'build.created': true,
  'build.created.stream': true,
  'build.moved': true,
  'build.moved.stream': true,
  'build.label.added': true,
  'build.processed': true,
  'build.deleted': true,
  'device.registered': true,
  'feedback.created': true,
  'feedback.updated': true,
  'release.created': true,
  'release.updated': true,
  'release.withdrawn': true,
  'release.deleted': true,
  'rollout.stopped': true,
} satisfies Record<WebhookEvent, true>)

const formats = Object.keys({
  json: true,
  form: true,
  slack: true,
  discord: true,
  teams: true,
} satisfies Record<Webhook['format'], true>)

/** Adds the options that describe a webhook, except its URL. */
export function withWebhookOptions(command: Command): Command {
  return command
    .addOption(new Option('--event <event>', 'event that triggers the webhook').choices(events))
    .option('--stream <name>', 'only builds of this stream')
    .option('--label <name>', 'only builds or releases with this label')
    .option('--description <text>', 'description of the webhook')
    .addOption(
      new Option('--format <format>', 'format of the request body (default: depends on the URL)').choices(
        formats,
      ),
    )
    .option('--secret-stdin', 'sign requests with a secret read from standard input')
}

/** Returns the fields that the options set. */
export async function webhookFields(context: CommandContext, options: WebhookOptions) {
  const { url, event, stream, label, description, format, active } = options
  const secret = options.secretStdin === true ? await readSecret(context) : undefined
  return {
    ...(url === undefined ? {} : { url }),
    ...(event === undefined ? {} : { event }),
    ...(stream === undefined ? {} : { stream: stream || null }),
    ...(label === undefined ? {} : { label: label || null }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(format === undefined ? {} : { format }),
    ...(secret === undefined ? {} : { secret }),
    ...(active === undefined ? {} : { is_active: active }),
  }
}

async function readSecret(context: CommandContext): Promise<string> {
  const secret = (await readStandardInput(context, '--secret-stdin')).trim()
  if (secret !== '') return secret
  throw new Failure('usage', 'Standard input contains no secret. Pipe or redirect the secret to the command.')
}
