import { hash } from 'node:crypto'
import type { ArchiveFile } from '../lib/archives/archive-file.ts'
import { zipArchive } from '../lib/archives/zip.ts'

/**
 * Returns a JAR with a signature of version 1 over its files (https://docs.oracle.com/en/java/javase/21/docs/specs/jar/jar.html).
 * `sign` returns the signature block of a signature file. The paths must be short, because lines are at most 72 bytes long.
 */
export function signedJar(files: readonly ArchiveFile[], sign: (bytes: Buffer) => Buffer): Buffer {
  const sections = files.map(({ path, content }) => ({
    path,
    text: `Name: ${path}\r\nSHA-256-Digest: ${digest(content)}\r\n\r\n`,
  }))
  const manifest = Buffer.from(`Manifest-Version: 1.0\r\n\r\n${sections.map(({ text }) => text).join('')}`)
  const signed = sections.map(
    ({ path, text }) => `Name: ${path}\r\nSHA-256-Digest: ${digest(Buffer.from(text))}\r\n\r\n`,
  )
  const signatureFile = Buffer.from(
    `Signature-Version: 1.0\r\nSHA-256-Digest-Manifest: ${digest(manifest)}\r\n\r\n${signed.join('')}`,
  )
  // Java verifies a stream only if the manifest and the signature are in front.
  const all = [
    { path: 'META-INF/MANIFEST.MF', content: manifest },
    { path: 'META-INF/INDEX.SF', content: signatureFile },
    { path: 'META-INF/INDEX.RSA', content: sign(signatureFile) },
    ...files,
  ]
  return zipArchive(all, archiveDate)
}

/** Its bytes depend only on the files. ZIP archives name no earlier date. */
const archiveDate = new Date('1980-01-01')

const digest = (bytes: Buffer): string => hash('sha256', bytes, 'base64')
