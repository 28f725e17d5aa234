import { createHash, sign } from 'node:crypto'
import type { ReleaseKey } from './release-key.ts'

/** The purpose that `ssh-keygen -Y verify` must name, so that signatures for other purposes are rejected. */
export const sshNamespace = 'quayside-release'
/** The name under which the file of allowed signers lists the key. */
export const sshIdentity = 'quayside'

const keyType = 'ssh-ed25519'
const lineCharacters = 70

/** Returns a signature that `ssh-keygen -Y verify` accepts (PROTOCOL.sshsig of OpenSSH). */
export function sshSignature(key: ReleaseKey, content: Buffer): string {
  const preamble = Buffer.from('SSHSIG')
  const digest = createHash('sha512').update(content).digest()
  const signed = Buffer.concat([preamble, ...[sshNamespace, '', 'sha512', digest].map(field)])
  const signature = Buffer.concat([keyType, sign(null, signed, key.privateKey)].map(field))
  const version = Buffer.from([0, 0, 0, 1])
  const fields = [publicKeyBlob(key), sshNamespace, '', 'sha512', signature]
  const encoded = Buffer.concat([preamble, version, ...fields.map(field)]).toString('base64')
  const lines = encoded.match(new RegExp(`.{1,${lineCharacters}}`, 'g')) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----\n'].join('\n')
}

/** Returns the public key in the notation of OpenSSH. */
export const sshPublicKey = (key: ReleaseKey): string => `${keyType} ${publicKeyBlob(key).toString('base64')}`

const publicKeyBlob = ({ publicKey }: ReleaseKey): Buffer => Buffer.concat([field(keyType), field(publicKey)])

function field(value: string | Buffer): Buffer {
  const content = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}
