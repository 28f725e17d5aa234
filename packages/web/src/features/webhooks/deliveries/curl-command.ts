import type { SingleWebhookRequest } from '@quayside/sdk'

/** Returns a command that sends a request again, with the same headers and body but without a signature. */
export function curlCommand({
  url,
  request_headers: headers,
  request_body: body,
}: SingleWebhookRequest): string {
  const lines = [
    `curl -i ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

/** Quotes a text for POSIX shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
