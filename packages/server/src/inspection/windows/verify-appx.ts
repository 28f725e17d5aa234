import { createHash } from 'node:crypto'
import type { ZipArchive } from '../archives/zip.ts'
import { readBytes } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import { invalid, settleSignature, unsigned, type Signature } from '../signatures/signature.ts'
import type { Certificate } from '../signatures/signed-data.ts'
import { readUnsignedArchive } from '../signatures/unsigned-archive.ts'
import { verifyAuthenticode } from './authenticode.ts'

const signaturePath = 'AppxSignature.p7x'
const maxSignatureBytes = 4 * 2 ** 20
const chunkBytes = 2 ** 20
const damaged = 'The app package is damaged.'

/** The files of a package that have a digest of their own in the signature, in this order. */
const signedFiles = [
  ['AXCT', '[Content_Types].xml'],
  ['AXBM', 'AppxBlockMap.xml'],
  ['AXCI', 'AppxMetadata/CodeIntegrity.cat'],
] as const

/** Verifies the signature of an app package or bundle for Windows, which covers every byte of the file. */
export async function verifyAppx(zip: ZipArchive, content: ByteSource): Promise<Signature> {
  let signers: Certificate[] = []
  const verify = async (): Promise<Signature> => {
    if (!zip.has(signaturePath)) return unsigned
    const bytes = await zip.read(signaturePath, maxSignatureBytes)
    if (bytes.toString('latin1', 0, 4) !== 'PKCX') return invalid
    return verifyAuthenticode(
      bytes.subarray(4),
      (algorithm) => digestPackage(zip, content, algorithm),
      (found) => (signers = found),
    )
  }
  return settleSignature(verify(), () => signers)
}

/** Returns the digests of the entries, the directory and some files, each after a name of four letters. */
async function digestPackage(
  zip: ZipArchive,
  content: ByteSource,
  algorithm: string,
): Promise<Buffer | undefined> {
  const archive = await readUnsignedArchive(content, signaturePath)
  if (archive === undefined) return undefined
  const entries = createHash(algorithm)
  for (let at = 0; at < archive.dataBytes; at += chunkBytes)
    entries.update(await readBytes(content, at, Math.min(chunkBytes, archive.dataBytes - at), damaged))
  const directory = createHash(algorithm).update(archive.directory)
  const parts = [Buffer.from('APPXAXPC'), entries.digest(), Buffer.from('AXCD'), directory.digest()]
  for (const [name, path] of signedFiles) {
    if (!zip.has(path)) continue
    const hash = createHash(algorithm)
    for await (const chunk of zip.stream(path, content)) hash.update(chunk)
    parts.push(Buffer.from(name), hash.digest())
  }
  return Buffer.concat(parts)
}
