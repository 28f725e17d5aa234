import { maxIconBytes } from '../../formats/image.ts'
import type { ZipArchive } from '../archives/zip.ts'
import { orNull, parseOrNull } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import type { Icon, SignatureStatus } from '../inspection.ts'
import { standardPng } from './apple-png.ts'
import { readCatalogIcon } from './asset-catalog.ts'
import { architecturesOf } from './mach-o.ts'
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

/** Returns the processor architectures of the application's executable, or an empty list if it cannot be read. */
export async function findArchitectures(zip: ZipArchive, path: string): Promise<string[]> {
  if (!zip.has(path)) return []
  const bytes = await orNull(zip.readStart(path))
  return bytes === null ? [] : (parseOrNull(() => architecturesOf(bytes)) ?? [])
}
