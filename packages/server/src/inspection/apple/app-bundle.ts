import type { ZipArchive } from '../archives/zip.ts'
import { bufferSource, orNull, parseOrNull } from '../bytes.ts'
import { isBundleExecutable, readArchivedDebugIds } from '../debug-ids/read-archived-debug-ids.ts'
import { listSlices } from '../executables/mach-o.ts'
import { readIcon } from '../icon.ts'
import { maxIconBytes } from '../images/image.ts'
import type { ByteSource, DebugId, Icon, SignatureStatus } from '../inspection.ts'
import { standardPng } from './apple-png.ts'
import { readCatalogIcon } from './asset-catalog.ts'
import { dictionaryOf, textOf, textsOf, type PlistDictionary } from './plist-value.ts'

const maxIconCandidates = 8
const maxCatalogBytes = 64 * 2 ** 20

/** Returns the application name that users see. */
export function displayNameOf(info: PlistDictionary): string | null {
  return (
    textOf(info, 'CFBundleDisplayName') ?? textOf(info, 'CFBundleName') ?? textOf(info, 'CFBundleExecutable')
  )
}

/** Returns whether an application has a code signature. The signature itself is not verified. */
export const codeSignatureStatus = (zip: ZipArchive, folder: string): SignatureStatus =>
  zip.has(`${folder}_CodeSignature/CodeResources`) ? 'unknown' : 'unsigned'

/**
 * Returns the largest icon among the PNG files of an iOS application, or else the one in its asset catalog, or null. Xcode
 * writes the home screen icon as PNG files and to the catalog, but other tools may remove the files.
 */
export async function findAppIcon(
  zip: ZipArchive,
  folder: string,
  info: PlistDictionary,
): Promise<Icon | null> {
  const prefixes = iconPrefixes(info)
  const candidates = zip.names
    .filter((name) => name.startsWith(folder) && /^[^/]+\.png$/i.test(name.slice(folder.length)))
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix, folder.length)))
    .toSorted((a, b) => (zip.sizeOf(b) ?? 0) - (zip.sizeOf(a) ?? 0))
    .slice(0, maxIconCandidates)
  for (const name of candidates) {
    const bytes = await orNull(zip.read(name, maxIconBytes))
    const icon = bytes === null ? null : parseOrNull(() => readIcon(standardPng(bytes)))
    if (icon !== null) return icon
  }
  return findCatalogIcon(zip, folder, info)
}

async function findCatalogIcon(zip: ZipArchive, folder: string, info: PlistDictionary): Promise<Icon | null> {
  const path = `${folder}Assets.car`
  const bytes = zip.has(path) ? await orNull(zip.read(path, maxCatalogBytes)) : null
  const primary = dictionaryOf(dictionaryOf(info, 'CFBundleIcons'), 'CFBundlePrimaryIcon')
  const name =
    (primary && textOf(primary, 'CFBundleIconName')) ?? textOf(info, 'CFBundleIconName') ?? 'AppIcon'
  return bytes === null ? null : parseOrNull(() => readCatalogIcon(bytes, name))
}

function iconPrefixes(info: PlistDictionary): string[] {
  const declared = ['CFBundleIcons', 'CFBundleIcons~ipad'].flatMap((key) =>
    textsOf(dictionaryOf(dictionaryOf(info, key), 'CFBundlePrimaryIcon'), 'CFBundleIconFiles'),
  )
  const names = [...declared, ...textsOf(info, 'CFBundleIconFiles'), textOf(info, 'CFBundleIconFile') ?? '']
  const prefixes = names.map((name) => name.replace(/\.png$/i, '')).filter((name) => name !== '')
  return prefixes.length > 0 ? prefixes : ['AppIcon', 'Icon']
}

/**
 * Returns the processor architectures of the application's executable, which are an empty list if it cannot be read, and
 * the debug IDs of all its executables.
 */
export async function readExecutables(
  zip: ZipArchive,
  source: ByteSource,
  { folder, executable }: { folder: string; executable: string },
): Promise<{ architectures: string[]; debugIds: DebugId[] }> {
  const others = zip.names.filter(
    (name) => name !== executable && name.startsWith(folder) && isBundleExecutable(name),
  )
  const files = zip.has(executable) ? [executable, ...others] : others
  const debugIds = await readArchivedDebugIds(
    zip,
    source,
    files.map((path) => ({ path, role: 'executable' })),
  )
  return { architectures: await findArchitectures(zip, executable), debugIds }
}

async function findArchitectures(zip: ZipArchive, path: string): Promise<string[]> {
  if (!zip.has(path)) return []
  const bytes = await orNull(zip.readStart(path))
  const slices = bytes === null ? null : await orNull(listSlices(bufferSource(bytes)))
  return [...new Set(slices?.flatMap(({ architecture }) => architecture ?? []))]
}
