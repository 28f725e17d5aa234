import { createHmac } from 'node:crypto'

const standardPrefix = 'whsec_'

type Signed = { id: string; timestamp: number; body: string }

/**
 * Returns the signature headers of a request: `x-webhook-signature`, and `webhook-signature` as specified by Standard
 * Webhooks. `secrets` lists the current secret first. `webhook-signature` contains a signature for each secret, so a
 * receiver can verify requests with either secret during a rotation.
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
