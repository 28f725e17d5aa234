import { createHash, sign } from 'node:crypto'
import type { ReleaseKey } from './release-key.ts'

/** Returns a minisign signature of a file whose BLAKE2b digest is signed. The signature also covers the comment. */
export function minisign(key: ReleaseKey, content: Buffer, trustedComment: string): string {
  const signature = sign(null, createHash('blake2b512').update(content).digest(), key.privateKey)
  const global = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), key.privateKey)
  return [
    `untrusted comment: verify with minisign -V and the public key ${keyName(key)}`,
    Buffer.concat([Buffer.from('ED'), key.id, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    `${global.toString('base64')}\n`,
  ].join('\n')
}

/** Returns the public key as minisign prints it, without the comment. */
export const minisignPublicKey = ({ id, publicKey }: ReleaseKey): string =>
  Buffer.concat([Buffer.from('Ed'), id, publicKey]).toString('base64')

/** Returns the text of a minisign public key file. */
export const minisignPublicKeyFile = (key: ReleaseKey): string =>
  `untrusted comment: minisign public key ${keyName(key)}${key.isTest ? ' (test key)' : ''}\n${minisignPublicKey(key)}\n`

/** Returns the ID of a key in the notation of minisign. */
const keyName = ({ id }: ReleaseKey): string => Buffer.from(id).reverse().toString('hex').toUpperCase()
