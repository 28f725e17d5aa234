const encoder = new TextEncoder()
const standardPrefix = 'whsec_'
const secretBytes = 24

/** Returns a new secret as specified by Standard Webhooks. */
export const generateSecret = (): string =>
  `${standardPrefix}${toBase64(crypto.getRandomValues(new Uint8Array(secretBytes)))}`

export type SignedRequest = { headers: ReadonlyMap<string, string>; body: string; secret: string }

export type Verdict = 'valid' | 'valid-without-newline' | 'wrong' | 'no-signature' | 'no-id' | 'bad-secret'

/** Reads headers as they are printed by curl, browsers and logs: one `name: value` per line. */
export function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*["']?(?:-H\s+["'])?([\w-]+)["']?\s*[:=]\s*["']?(.*?)["']?,?\s*\\?\s*$/.exec(line)
    if (match?.[1] !== undefined) headers.set(match[1].toLowerCase(), match[2] ?? '')
  }
  return headers
}

/**
 * Returns whether a request was signed with the secret. Editors often append a newline to a pasted body, so the body is
 * also checked without it.
 */
export async function verifySignature({ headers, body, secret }: SignedRequest): Promise<Verdict> {
  const signatures = (headers.get('webhook-signature') ?? '').split(' ').filter((part) => part !== '')
  const plain = headers.get('x-webhook-signature')
  if (signatures.length === 0 && plain === undefined) return 'no-signature'
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  if (signatures.length > 0 && (id === undefined || timestamp === undefined)) return 'no-id'
  const standardKey = keyOf(secret)
  if (standardKey === undefined || secret === '') return 'bad-secret'
  const isSigned = async (text: string) =>
    signatures.length > 0
      ? signatures.includes(`v1,${toBase64(await hmac(standardKey, `${id}.${timestamp}.${text}`))}`)
      : toHex(await hmac(encoder.encode(secret), text)) === plain?.toLowerCase()
  if (await isSigned(body)) return 'valid'
  const trimmed = body.replace(/\r?\n$/, '')
  return trimmed !== body && (await isSigned(trimmed)) ? 'valid-without-newline' : 'wrong'
}

/** Returns the key of a secret: the decoded Base64 text after `whsec_`, or the bytes of any other secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(standardPrefix)) return encoder.encode(secret)
  try {
    return Uint8Array.from(atob(secret.slice(standardPrefix.length)), (char) => char.codePointAt(0) ?? 0)
  } catch {
    return undefined
  }
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes))

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
