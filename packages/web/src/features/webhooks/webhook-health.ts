import type { Webhook } from '@quayside/sdk'
import { elapsedTime, relativeTime } from '../../ui/format/time.ts'

export type Health = { tone: 'good' | 'warn' | 'bad' | 'off' | 'new'; label: string; detail: string }

/** Returns whether the requests of a webhook arrive, and since when or until when they did. */
export function healthOf(webhook: Webhook, nowMs: number): Health {
  const { last_successful_request_at: success, failing_since: failingSince } = webhook
  const delivered = success === null ? 'Nothing delivered yet' : `Delivered ${relativeTime(success, nowMs)}`
  if (!webhook.is_active) return { tone: 'off', label: 'Off', detail: delivered }
  const failing = failingSince === null ? '' : `for ${elapsedTime(failingSince, nowMs)}`
  if (webhook.in_error_state) return { tone: 'bad', label: 'Failing', detail: failing || delivered }
  if (failingSince !== null) return { tone: 'warn', label: 'Failing', detail: failing }
  return success === null
    ? { tone: 'new', label: 'No requests yet', detail: '' }
    : { tone: 'good', label: 'Healthy', detail: delivered }
}

/** Returns how a webhook is called: its description, or the host of its URL. */
export const webhookName = ({ description, url }: Pick<Webhook, 'description' | 'url'>): string =>
  description || (URL.parse(url)?.host ?? url)
