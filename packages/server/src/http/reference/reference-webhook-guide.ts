import type { GuideSection } from './guide-section.ts'

/** How to receive webhook requests, in the introduction to the API reference. */
export const webhookGuide: GuideSection = {
  title: 'Receiving webhooks',
  text: [
    'A webhook receives each event as a POST with the JSON payload `{"id", "event", "created", "data"}`. The OpenAPI document lists every event with its payload and headers under `webhooks`. Respond with a 2xx status within 15 seconds; do slow work afterwards.',
    'If the webhook has a secret, verify the signature before you trust a request. `webhook-signature` follows Standard Webhooks: it contains one or more signatures, separated by spaces, each of them `v1,` and the Base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the Base64 text after `whsec_`, or the bytes of a secret without this prefix. For 24 hours after the secret changes, the header also contains a signature with the previous secret. `x-webhook-signature` is the HMAC-SHA256 of the body alone, in hexadecimal, with all bytes of the current secret as the key.',
    'Reject requests whose `webhook-timestamp` is more than five minutes old, and ignore a `webhook-id` that you have already handled: a request can arrive more than once, and requests can arrive out of order.',
    'Any response other than 2xx, including a redirect, is a failure. A failed request is repeated with the same `webhook-id` about 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the first attempt; `Retry-After` can postpone the next attempt by up to a day. Status 410 deactivates the webhook, and so do five days without a successful request.',
    'This function verifies a request in Node.js. The Standard Webhooks libraries do the same in other languages.',
  ],
  language: 'js',
  code: `import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 5 * 60

/** Returns the event. \`body\` is the raw text of the request, and \`headers\` its headers with lowercase names. */
export function verifyWebhook(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) throw new Error('The request is too old.')
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const isValid = signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const bytes = Buffer.from(value, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  if (!isValid) throw new Error('The signature does not match.')
  return JSON.parse(body)
}`,
}
