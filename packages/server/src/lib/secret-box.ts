import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** Encrypts a text for the database: format byte, nonce, tag, AES-256-GCM bytes. `place` must be the same at `open`. */
  seal(text: string, place: string): Buffer
  /** The text again; throws when a byte was changed, another secret sealed it, or it comes from another place. */
  open(sealed: Uint8Array, place: string): string
  /** A signature in 43 URL-safe characters; the same text gives another one for another purpose. */
  token(purpose: string, text: string): string
}

const format = 1
const nonceBytes = 12
const tagBytes = 16

/** `secret` is the master secret of the configuration; every key used here is derived from it for one purpose. */
export function createSecretBox(secret: string): SecretBox {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `quayside ${purpose}`, 32))
  const sealingKey = derive('secrets at rest v1')
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(place))
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), bytes])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed)
      const start = 1 + nonceBytes + tagBytes
      if (bytes[0] !== format || bytes.length < start) throw new Error('not a sealed secret')
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(1 + nonceBytes, start))
      return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString('utf8')
    },
    token(purpose, text) {
      return createHmac('sha256', derive(`token ${purpose}`))
        .update(text)
        .digest('base64url')
    },
  }
}
