import { inspectAab } from './android/inspect-aab.ts'
import { inspectApk } from './android/inspect-apk.ts'
import { findAppInfo, inspectApp } from './apple/inspect-app.ts'
import { inspectIpa } from './apple/inspect-ipa.ts'
import { openZip } from './archives/zip.ts'
import { readHead } from './bytes.ts'
import { emptyInspection, type ByteSource, type Inspection } from './inspection.ts'
import { inspectJar } from './java/inspect-jar.ts'
import { inspectAppImage, isAppImage } from './linux/inspect-appimage.ts'
import { inspectDeb } from './linux/inspect-deb.ts'
import { inspectRpm } from './linux/inspect-rpm.ts'
import { jarManifestPath } from './signatures/jar-signature.ts'
import { stoppable } from './signatures/signature.ts'
import { inspectExecutable } from './windows/inspect-executable.ts'
import { inspectInstaller } from './windows/inspect-installer.ts'

/** Reads metadata from `source`. Verifies the signature with `content`, whose reads fail once that takes too long. */
type Reader = (source: ByteSource, content: ByteSource) => Promise<Inspection>

/** Readers for file types that require one format. Files in another format are rejected. */
const readersByFiletype: Readonly<Record<string, Reader>> = {
  aab: inspectAab,
  apk: inspectApk,
  ipa: inspectIpa,
}

/** Readers for other file types, by the first bytes of the file. */
const readersByMagic: readonly (readonly [Buffer, Reader])[] = [
  [Buffer.from('MZ'), inspectExecutable],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), inspectInstaller],
  [Buffer.from('!<arch>\ndebian-binary'), inspectDeb],
  [Buffer.from('edabeedb', 'hex'), inspectRpm],
  [Buffer.from('PK\u0003\u0004'), inspectArchive],
]

const headBytes = 64

type Options = {
  signal?: AbortSignal
  /** Returns false when there is no more time to verify the signature. */
  mayContinue?: () => boolean
}

/**
 * Reads the metadata of an uploaded file. Recognizes the format by the content, except for the file types of mobile
 * applications. Files in an unknown format have no metadata. Throws `InspectionError` if the file is damaged or exceeds
 * a limit, the errors of `source`, and the abort reason if `signal` is aborted.
 */
export async function inspectFile(
  source: ByteSource,
  filetype: string,
  { signal, mayContinue = () => true }: Options = {},
): Promise<Inspection> {
  const abortable: ByteSource = {
    sizeBytes: source.sizeBytes,
    read(offset, length) {
      signal?.throwIfAborted()
      return source.read(offset, length)
    },
  }
  const reader = readersByFiletype[filetype] ?? (await recognize(abortable))
  return reader === undefined ? emptyInspection : reader(abortable, stoppable(abortable, mayContinue))
}

async function recognize(source: ByteSource): Promise<Reader | undefined> {
  const head = await readHead(source, headBytes)
  if (isAppImage(head)) return inspectAppImage
  return readersByMagic.find(([magic]) => head.subarray(0, magic.length).equals(magic))?.[1]
}

/** Reads an application or a Java archive in a ZIP file. Other archives have no metadata. */
async function inspectArchive(source: ByteSource, content: ByteSource): Promise<Inspection> {
  const zip = await openZip(source)
  const appInfo = findAppInfo(zip)
  if (appInfo !== undefined) return inspectApp(zip, appInfo)
  return zip.has(jarManifestPath) ? inspectJar(zip, content) : emptyInspection
}
