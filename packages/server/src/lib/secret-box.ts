import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** Encrypts text: format byte, nonce, tag and AES-256-GCM ciphertext. `open` requires the same `context`. */
  seal(text: string, context: string): Buffer
  /** Decrypts sealed text; throws if it was modified or sealed with another secret or context. */
  open(sealed: Uint8Array, context: string): string
  /** Returns a signature of 43 URL-safe characters that depends on the purpose and the text. */
  token(purpose: string, text: string): string
}

const format = 1
const nonceBytes = 12
const tagBytes = 16

/** Creates a box for the configured master secret, from which a separate key is derived for each purpose. */
export function createSecretBox(secret: string): SecretBox {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `quayside ${purpose}`, 32))
  const sealingKey = derive('secrets at rest v1')
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(context))
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), bytes])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      const start = 1 + nonceBytes + tagBytes
      if (bytes[0] !== format || bytes.length < start) throw new Error('not a sealed secret')
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(1 + nonceBytes, start))
      return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString('utf8')
    },
    token(purpose, text) {
      return createHmac('sha256', derive(`token ${purpose}`))
        .update(text)
        .digest('base64url')
    },
  }
}
