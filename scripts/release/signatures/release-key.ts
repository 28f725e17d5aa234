import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { ReleaseError } from '../release-error.ts'

/** An Ed25519 key. `id` is the number with which minisign tells keys apart. */
export type ReleaseKey = { id: Buffer; privateKey: KeyObject; publicKey: Buffer; isTest: boolean }

/** The header of an Ed25519 private key in PKCS #8 (RFC 8410). The seed follows. */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')
const unencrypted = '\0\0'
/** Offsets in a secret key of minisign. */
const secretKey = { bytes: 158, kdf: 2, id: 54, seed: 62, publicKey: 94, checksum: 126 }

/** Returns the key in the text of a minisign secret key file, as `minisign -G -W` writes it. Throws `ReleaseError`. */
export function parseSecretKey(text: string): ReleaseKey {
  const encoded = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('untrusted comment:'))
  const bytes = Buffer.from(encoded ?? '', 'base64')
  if (bytes.length !== secretKey.bytes || bytes.toString('latin1', 0, 2) !== 'Ed')
    throw new ReleaseError('The signing key is not a minisign secret key.')
  if (bytes.toString('latin1', secretKey.kdf, secretKey.kdf + 2) !== unencrypted)
    throw new ReleaseError('The signing key has a password. Create a key without one: minisign -G -W')
  const id = bytes.subarray(secretKey.id, secretKey.seed)
  const key = keyFromSeed(bytes.subarray(secretKey.seed, secretKey.publicKey), id)
  if (!key.publicKey.equals(bytes.subarray(secretKey.publicKey, secretKey.checksum)))
    throw new ReleaseError('The signing key is damaged: its public key does not belong to it.')
  return key
}

/**
 * Returns the key of releases for tests. Everybody can compute it, so its signatures prove nothing, but two releases with
 * it have the same bytes.
 */
export function testKey(): ReleaseKey {
  const seed = createHash('sha256').update('quayside test key').digest()
  return { ...keyFromSeed(seed, seed.subarray(0, 8)), isTest: true }
}

function keyFromSeed(seed: Buffer, id: Buffer): ReleaseKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Header, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { id, privateKey, publicKey: Buffer.from(x, 'base64url'), isTest: false }
}
