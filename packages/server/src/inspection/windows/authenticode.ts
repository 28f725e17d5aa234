import { childOf, derTag, octetsOf, oidOf } from '../signatures/der.ts'
import { invalid, UnsupportedSignature, type Signature } from '../signatures/signature.ts'
import { certificatesOf, readSignedData } from '../signatures/signed-data.ts'
import { digestNames, isSignedBy } from '../signatures/verify-signed-data.ts'

const indirectDataOid = '2b060104018237020104'

/** Returns the digest of a file, or undefined if its structure does not allow a signature. */
export type DigestFile = (algorithm: string) => Promise<Buffer | undefined>

/**
 * Verifies an Authenticode signature, a CMS message that contains the digest of a file. Countersignatures, which prove the
 * time of signing, and further signatures are ignored. Throws like `readSignedData` and `isSignedBy`, with the certificates
 * passed to `onSigners` once the message is known to be signed.
 */
export async function verifyAuthenticode(
  bytes: Buffer,
  digestFile: DigestFile,
  onSigners: (signature: Signature['signers']) => void,
): Promise<Signature> {
  const message = readSignedData(bytes, 'The Authenticode signature is damaged.')
  const { content, contentType } = message
  if (content === null || contentType !== indirectDataOid || !isSignedBy(message, content.content))
    return invalid
  const digestInfo = childOf(content, 1, derTag.sequence)
  const algorithm = digestNames[oidOf(childOf(childOf(digestInfo, 0), 0))]
  const signed = octetsOf(childOf(digestInfo, 1))
  if (algorithm === undefined) throw new UnsupportedSignature('The signature uses an unsupported algorithm.')
  const signers = certificatesOf(message)
  onSigners(signers)
  const digest = await digestFile(algorithm)
  return digest?.equals(signed) === true ? { status: 'valid', signers } : invalid
}
