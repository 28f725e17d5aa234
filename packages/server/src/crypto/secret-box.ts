import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { shortIdAlphabet } from '../lib/ids.ts'

export interface SecretBox {
  /**
   * Encrypts text with AES-256-GCM and returns a format byte, the nonce, the tag and the ciphertext. `open` requires
   * the same `context`.
   */
  seal(text: string, context: string): Buffer
  /** Decrypts sealed text. Throws if it was modified or sealed with a different secret or context. */
  open(sealed: Uint8Array, context: string): string
  /** Reseals text with the current secret if it was sealed with the previous secret; otherwise returns undefined. */
  reseal(sealed: Uint8Array, context: string): Buffer | undefined
  /** Returns a signature of the purpose and the text as 43 URL-safe characters. */
  token(purpose: string, text: string): string
  /** Returns a signature of 98 bits as 20 characters without look-alikes. Nothing may use the purpose for `token()`. */
  shortToken(purpose: string, text: string): string
  /** Returns whether `token` was created by `shortToken()` for this purpose and text. */
  isShortToken(token: string, purpose: string, text: string): boolean
  /** Returns whether `token` was created by `token()` for this purpose and text with the current or previous secret. */
  isToken(token: string, purpose: string, text: string): boolean
}

const format = 1
const shortTokenLength = 20
const nonceBytes = 12
const tagBytes = 16

/**
 * Creates a box for the configured master secret, from which it derives a separate key for each purpose. The box also
 * opens text and verifies tokens that were created with the previous secret.
 */
export function createSecretBox(secret: string, previousSecret?: string): SecretBox {
  const current = createKeys(secret)
  const previous = previousSecret === undefined ? undefined : createKeys(previousSecret)
  const seal = (text: string, context: string) => {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', current.sealingKey, nonce).setAAD(Buffer.from(context))
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), bytes])
  }
  const isAnyEqual = (token: string, expected: (keys: Keys) => string) =>
    [current, previous].some((keys) => keys !== undefined && isEqual(token, expected(keys)))
  return {
    seal,
    open(sealed, context) {
      const text = tryOpen(current, sealed, context) ?? (previous && tryOpen(previous, sealed, context))
      if (text === undefined) throw new Error('the sealed text cannot be opened with this secret and context')
      return text
    },
    reseal(sealed, context) {
      if (previous === undefined || tryOpen(current, sealed, context) !== undefined) return undefined
      const text = tryOpen(previous, sealed, context)
      return text === undefined ? undefined : seal(text, context)
    },
    token: (purpose, text) => current.token(purpose, text),
    isToken: (token, purpose, text) => isAnyEqual(token, (keys) => keys.token(purpose, text)),
    shortToken: (purpose, text) => current.shortToken(purpose, text),
    isShortToken: (token, purpose, text) => isAnyEqual(token, (keys) => keys.shortToken(purpose, text)),
  }
}

type Keys = ReturnType<typeof createKeys>

function createKeys(secret: string) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `quayside ${purpose}`, 32))
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', derive(`token ${purpose}`))
      .update(text)
      .digest()
  return {
    sealingKey: derive('secrets at rest v1'),
    token: (purpose: string, text: string) => sign(purpose, text).toString('base64url'),
    shortToken: (purpose: string, text: string) => shorten(sign(purpose, text)),
  }
}

/** Returns the last digits of the number, which are evenly distributed because it is much larger than they are. */
function shorten(bytes: Buffer): string {
  const base = BigInt(shortIdAlphabet.length)
  let number = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  while (digits.length < shortTokenLength) {
    digits += shortIdAlphabet[Number(number % base)]
    number /= base
  }
  return digits
}

/** Decrypts sealed text. Returns undefined if it was modified or sealed with other keys or a different context. */
function tryOpen({ sealingKey }: Keys, sealed: Uint8Array, context: string): string | undefined {
  const bytes = Buffer.from(sealed)
  const start = 1 + nonceBytes + tagBytes
  if (bytes[0] !== format || bytes.length < start) return undefined
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(1 + nonceBytes, start))
  const text = decipher.update(bytes.subarray(start))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
