import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  scryptSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { createSecretBox, type SecretBox } from '../../crypto/secret-box.ts'

/** The key with which an installation signs its exports. */
export type ExportKey = { privateKey: KeyObject; publicKey: string }

// The ASN.1 header that PKCS #8 puts before the 32 bytes of an Ed25519 private key (RFC 8410).
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derives the Ed25519 key of an installation from its master secret. */
export function deriveExportKey(secret: string): ExportKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'quayside export signing v1', 32))
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Header, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')
  return { privateKey, publicKey }
}

/** Returns the Base64 text of an Ed25519 signature. */
export const signBytes = ({ privateKey }: ExportKey, bytes: Uint8Array): string =>
  sign(null, bytes, privateKey).toString('base64')

/** Returns whether the signature was made with the private key that belongs to `publicKey`. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Returns the fingerprint of a public key in the format of OpenSSH. */
export const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64').replace(/=+$/, '')}`

/** Returns the box that encrypts the secrets in an export with a passphrase. */
export function createPassphraseBox(passphrase: string, exportId: string): SecretBox {
  const key = scryptSync(passphrase, exportId, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 })
  return createSecretBox(key.toString('hex'))
}
