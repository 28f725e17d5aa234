import { inspectAab } from './android/inspect-aab.ts'
import { inspectApk } from './android/inspect-apk.ts'
import { inspectDmg, inspectEncryptedDmg } from './apple/inspect-dmg.ts'
import { inspectIpa } from './apple/inspect-ipa.ts'
import { inspectPkg } from './apple/inspect-pkg.ts'
import { inspectArchive } from './archives/inspect-archive.ts'
import { inspectTarball } from './archives/inspect-tarball.ts'
import { inspectArtifact } from './artifacts/inspect-artifact.ts'
import { programReaders, type Reader } from './executables/program-reader.ts'
import { emptyInspection, type ByteSource, type Inspection } from './inspection.ts'
import { inspectDeb } from './linux/inspect-deb.ts'
import { inspectFlatpak } from './linux/inspect-flatpak.ts'
import { inspectRpm } from './linux/inspect-rpm.ts'
import { inspectSnap } from './linux/inspect-snap.ts'
import { recognizeFormat, type FileFormat } from './recognize-format.ts'
import { stoppable } from './signatures/signature.ts'
import { inspectInstaller } from './windows/inspect-installer.ts'

const readers: Readonly<Record<FileFormat, Reader>> = {
  ...programReaders,
  aab: inspectAab,
  apk: inspectApk,
  'compound-file': inspectInstaller,
  deb: inspectDeb,
  dmg: inspectDmg,
  'encrypted-dmg': inspectEncryptedDmg,
  flatpak: inspectFlatpak,
  gz: inspectTarball('gz'),
  ipa: inspectIpa,
  'metadata-artifact': inspectArtifact,
  rpm: inspectRpm,
  squashfs: inspectSnap,
  xar: inspectPkg,
  xz: inspectTarball('xz'),
  zip: inspectArchive,
  zst: inspectTarball('zst'),
}

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
  const format = await recognizeFormat(abortable, filetype)
  return format === undefined
    ? emptyInspection
    : readers[format](abortable, stoppable(abortable, mayContinue), filetype)
}
