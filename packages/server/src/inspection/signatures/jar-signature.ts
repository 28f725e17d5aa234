import type { ZipArchive } from '../archives/zip.ts'
import { orNull, parseOrNull } from '../bytes.ts'
import { readSignedData, type Certificate } from './signed-data.ts'

const signatureFile = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i
const maxSignatureBytes = 2 ** 20
const maxSignatures = 4

/** Returns the certificate of the first signer of a JAR file, or null. APK signature scheme v1 uses this format. */
export async function findJarSigner(zip: ZipArchive): Promise<Certificate | null> {
  if (!zip.has('META-INF/MANIFEST.MF')) return null
  const names = zip.names.filter((name) => signatureFile.test(name)).toSorted()
  for (const name of names.slice(0, maxSignatures)) {
    const hasDigests = zip.has(name.replace(/\.[^.]+$/, '.SF'))
    if (!hasDigests) continue
    const bytes = await orNull(zip.read(name, maxSignatureBytes))
    if (bytes === null) continue
    const signer = parseOrNull(() => readSignedData(bytes, 'The JAR signature is damaged.'))?.signer ?? null
    if (signer !== null) return signer
  }
  return null
}
