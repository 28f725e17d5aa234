import { EntryTooLarge, type ZipArchive } from '../archives/zip.ts'
import {
  emptyInspection,
  unknownPackage,
  type ByteSource,
  type Inspection,
  type PackageInfo,
} from '../inspection.ts'
import { stoppedWith } from '../signatures/signature.ts'
import { splitArchitecture } from './architectures.ts'
import { inspectApk } from './inspect-apk.ts'

/** The process that inspects files may use 512 MiB of memory, of which reading an APK needs up to 250 MiB. */
const maxApkBytes = 224 * 2 ** 20
const basePaths = ['universal.apk', 'splits/base-master.apk', 'standalones/standalone.apk']

/** Returns whether an archive is an APK set, which bundletool creates from an app bundle. */
export const isApkSet = (zip: ZipArchive): boolean => zip.has('toc.pb') && baseOf(zip) !== undefined

function baseOf(zip: ZipArchive): string | undefined {
  const found = basePaths.find((path) => zip.has(path))
  return found ?? zip.names.find((name) => /^standalones\/[^/]+\.apk$/.test(name))
}

/** Reads the universal APK or the base APK in an APK set (.apks), and verifies its signature. */
export const inspectApks = (zip: ZipArchive, content: ByteSource): Promise<Inspection> =>
  inspectBase(zip, content, baseOf(zip) ?? '', { ...unknownPackage, format: 'apks' })

/**
 * Reads an APK in an archive, with the architectures of all APKs. `declared` contains the format of the archive, and what
 * it states about the APK, which is all that is returned of an APK that does not fit into memory.
 */
export async function inspectBase(
  zip: ZipArchive,
  content: ByteSource,
  path: string,
  declared: PackageInfo,
): Promise<Inspection> {
  const found = await inspectIfReadable(zip, content, path)
  const info = found.file_info ?? { ...declared, signature_status: 'unknown' as const }
  const architectures = new Set([
    ...info.architectures,
    ...zip.names.flatMap((name) => splitArchitecture(name) ?? []),
  ])
  return {
    ...found,
    file_info: { ...info, format: declared.format, architectures: [...architectures].toSorted() },
  }
}

async function inspectIfReadable(zip: ZipArchive, content: ByteSource, path: string): Promise<Inspection> {
  try {
    const apk = await zip.open(path, maxApkBytes)
    return await inspectApk(apk, stoppedWith(content, apk))
  } catch (error) {
    if (error instanceof EntryTooLarge) return emptyInspection
    throw error
  }
}
