import { createHash } from 'node:crypto'
import { readBytes } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import {
  invalid,
  settleSignature,
  unsigned,
  UnsupportedSignature,
  type Signature,
} from '../signatures/signature.ts'
import type { Certificate } from '../signatures/signed-data.ts'
import { verifyAuthenticode } from './authenticode.ts'
import type { PeFile } from './pe-file.ts'

const maxCertificateBytes = 4 * 2 ** 20
const pkcs7Certificate = 2
const chunkBytes = 2 ** 20
const damaged = 'The signature of the Windows executable is damaged.'

/** Verifies the first Authenticode signature of a Windows executable or library. */
export async function verifyExecutable(pe: PeFile, content: ByteSource): Promise<Signature> {
  let signers: Certificate[] = []
  const verify = async (): Promise<Signature> => {
    const { address, sizeBytes } = pe.certificates
    if (address === 0 || sizeBytes === 0) return unsigned
    // Bytes after the signature would not be signed.
    const isAtEnd = address > pe.certificatesEntryOffset && address + sizeBytes === content.sizeBytes
    if (!isAtEnd || sizeBytes < 8) return invalid
    if (sizeBytes > maxCertificateBytes) throw new UnsupportedSignature('The signature is too large.')
    const bytes = await readBytes(content, address, sizeBytes, damaged)
    if (bytes.readUInt16LE(6) !== pkcs7Certificate)
      throw new UnsupportedSignature('The signature has an unsupported format.')
    return verifyAuthenticode(
      bytes.subarray(8),
      (algorithm) => digestExecutable(pe, content, algorithm),
      (found) => (signers = found),
    )
  }
  return settleSignature(verify(), () => signers)
}

/** Digests the file without the fields that signing changes. */
async function digestExecutable(pe: PeFile, content: ByteSource, algorithm: string): Promise<Buffer> {
  const hash = createHash(algorithm)
  const ranges = [
    [0, pe.checksumOffset],
    [pe.checksumOffset + 4, pe.certificatesEntryOffset],
    [pe.certificatesEntryOffset + 8, pe.certificates.address],
  ] as const
  for (const [start, end] of ranges)
    for (let at = start; at < end; at += chunkBytes)
      hash.update(await readBytes(content, at, Math.min(chunkBytes, end - at), damaged))
  return hash.digest()
}
