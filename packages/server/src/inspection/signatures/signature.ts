import { cleanText } from '../bytes.ts'
import { InspectionError, type ByteSource, type SignatureStatus } from '../inspection.ts'
import type { Certificate } from './signed-data.ts'

/** The result of a verification. If the signature is invalid, there are no signers, because anyone could name them. */
export type Signature = { status: SignatureStatus; signers: Certificate[] }

export const unsigned: Signature = { status: 'unsigned', signers: [] }
export const invalid: Signature = { status: 'invalid', signers: [] }

/** Returns the name of the first signer, or null if there is none. */
export const signerName = ({ signers: [signer] }: Signature): string | null =>
  cleanText(signer?.commonName ?? signer?.organization)

/** Thrown by reads of the content if verifying a signature takes too long. */
class VerificationStopped extends InspectionError {}

/** Thrown if a signature uses an algorithm that is not supported. */
export class UnsupportedSignature extends InspectionError {}

/** Returns a source whose reads throw `VerificationStopped` once `mayContinue` returns false. */
export function stoppable(source: ByteSource, mayContinue: () => boolean): ByteSource {
  return {
    sizeBytes: source.sizeBytes,
    read: (offset, length) =>
      mayContinue()
        ? source.read(offset, length)
        : Promise.reject(new VerificationStopped('The file is too large to verify its signature.')),
  }
}

/**
 * Returns a source of bytes that were read from a file, such as a program in an archive. Its reads throw once those of the
 * content of the file do.
 */
export const stoppedWith = (content: ByteSource, { sizeBytes, read }: ByteSource): ByteSource => ({
  sizeBytes,
  async read(offset, length) {
    await content.read(0, 0)
    return read(offset, length)
  },
})

/**
 * Returns the result of a verification. A signature that is damaged is invalid. A verification that is stopped, or that
 * requires an unsupported algorithm, has the status `unknown`; then `signers` are the certificates of the file.
 */
export async function settleSignature(
  verification: Promise<Signature>,
  signers: () => Certificate[] = () => [],
): Promise<Signature> {
  try {
    return await verification
  } catch (error) {
    if (error instanceof VerificationStopped || error instanceof UnsupportedSignature)
      return { status: 'unknown', signers: signers() }
    if (error instanceof InspectionError || error instanceof RangeError) return invalid
    throw error
  }
}
