import type { WebhookRequest } from '@quayside/sdk'

/** Returns the version that a request is about, such as `2.14.0 (8123)`. */
export function subjectOf({ request_payload: { data } }: WebhookRequest): string | undefined {
  const subject = (data['build'] ?? data['release']) as
    | { version?: string; build_number?: string | null; title?: string | null }
    | undefined
  if (subject?.version === undefined) return undefined
  if (typeof subject.title === 'string' && subject.title !== '') return `${subject.version} ${subject.title}`
  return typeof subject.build_number === 'string'
    ? `${subject.version} (${subject.build_number})`
    : subject.version
}

type Result = Pick<WebhookRequest, 'response_code' | 'error' | 'duration'>

/** Returns the status of the response, or why there is none, in a word or two. */
export function outcomeText({ response_code: code, error, duration }: Result): string {
  if (code !== null) return String(code)
  if (error !== null) return error.startsWith('No response') ? 'Timeout' : 'No response'
  return duration === null ? 'Queued' : 'No response'
}

/** Returns a duration in milliseconds or seconds, such as `124 ms` or `15.0 s`. */
export const durationText = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`

/** Returns the time until a moment, such as `4 min 12 s`; undefined if it has passed. */
export function countdownText(untilMs: number, nowMs: number): string | undefined {
  const seconds = Math.ceil((untilMs - nowMs) / 1_000)
  if (seconds <= 0) return undefined
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
