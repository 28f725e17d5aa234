import { createHmac } from 'node:crypto'

const standardPrefix = 'whsec_'
const minKeyBytes = 24
const maxKeyBytes = 64
const minPlainLength = 8
/** Keys of 128 bits cannot be guessed. */
const minStrongKeyBytes = 16

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

/** Returns whether the key of a secret that an earlier version accepted can be guessed: it is empty, short or blank. */
export const isWeakSecret = (secret: string): boolean =>
  secret.startsWith(standardPrefix)
    ? standardKey(secret).length < minStrongKeyBytes
    : secret.trim().length < minPlainLength

/**
 * Returns why requests should not be signed with a new secret, or undefined if they can. Earlier versions accepted other
 * secrets, which still sign. A plain secret is ASCII, because libraries disagree about the bytes of other characters.
 */
export function secretError(secret: string): string | undefined {
  if (secret.startsWith(standardPrefix)) {
    const encoded = secret.slice(standardPrefix.length)
    const key = Buffer.from(encoded, 'base64')
    return key.toString('base64') === encoded && key.length >= minKeyBytes && key.length <= maxKeyBytes
      ? undefined
      : `must contain ${minKeyBytes} to ${maxKeyBytes} bytes in Base64 after \`${standardPrefix}\`.`
  }
  if (!/^[ -~]*$/.test(secret))
    return 'must contain only ASCII letters, digits, punctuation and spaces. To use other bytes as the key, send them in Base64 after `whsec_`.'
  return secret.trim().length < minPlainLength
    ? `must be at least ${minPlainLength} characters long, not counting spaces at its ends.`
    : undefined
}
