import { createHmac } from 'node:crypto'

const standardPrefix = 'whsec_'

type Signed = { id: string; timestamp: number; body: string }

/**
 * Returns the signature headers of a request: `x-webhook-signature` and those of the Standard Webhooks specification.
 * `secrets` lists the current secret first. A Standard Webhooks receiver accepts any of several signatures, so it
 * accepts requests with either secret while a secret is rotated.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: Signed,
): Record<string, string> {
  const [current] = secrets
  if (current === undefined) return {}
  const signatures = secrets.map(
    (secret) => `v1,${hmac(standardKey(secret), `${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    'x-webhook-signature': hmac(Buffer.from(current), body).digest('hex'),
    'webhook-signature': signatures.join(' '),
  }
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text)

/** Returns the key of a secret: the decoded Base64 text after `whsec_`, or the bytes of any other secret. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(standardPrefix)
    ? Buffer.from(secret.slice(standardPrefix.length), 'base64')
    : Buffer.from(secret)
