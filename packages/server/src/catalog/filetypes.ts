import { fileExtensions, maxLengthOf } from './file-endings.ts'
import { genericFiletypes, platformFiletypes } from './filetypes.data.ts'
import { mimeTypes } from './mime-types.data.ts'
import { indexByIdentifier } from './named-entries.ts'
import { findPlatform, platforms, type Platform } from './platforms.ts'

export type Filetype = {
  identifier: string
  name: string
  /** The extension without the leading dot. It can have several parts (`tar.gz`). Null for the unknown type. */
  extension: string | null
  mimeType: string
  /** Whether every platform that accepts generic file types accepts this type. */
  isGeneric: boolean
  /** The platforms that list this type explicitly. */
  platforms: readonly string[]
}

/** A file type as it appears in responses. */
export type FiletypeResource = {
  identifier: string
  name: string
  extension: string | null
  mime_type: string
}

const anyBytes = 'application/octet-stream'
const unknownIdentifier = 'none'

export const filetypes: readonly Filetype[] = [
  ...platformFiletypes.map(({ identifier, name, extension, platforms: slugs }) => ({
    identifier,
    name,
    extension,
    mimeType: mimeTypes[identifier] ?? anyBytes,
    isGeneric: false,
    platforms: slugs.split(' '),
  })),
  ...Object.entries(genericFiletypes).map(([identifier, name]) => ({
    identifier,
    name,
    extension: identifier,
    mimeType: mimeTypes[identifier] ?? anyBytes,
    isGeneric: true,
    platforms: [],
  })),
]

const byIdentifier = indexByIdentifier(filetypes)
/** The first type with each extension, regardless of its platforms. */
const byExtension = new Map(filetypes.toReversed().map((filetype) => [filetype.extension, filetype]))
const maxExtensionLength = maxLengthOf([...byExtension.keys()].filter((extension) => extension !== null))

/**
 * Maps each platform to its file types by extension. If several types have the same extension, the platform's own types
 * take precedence over generic types, and earlier rows over later rows.
 */
const byPlatform = new Map(platforms.map((platform) => [platform.identifier, filetypesOf(platform)]))

function filetypesOf(platform: Platform): ReadonlyMap<string, Filetype> {
  const own = filetypes.filter((filetype) => filetype.platforms.includes(platform.identifier))
  const generic = platform.acceptsGenericFiletypes ? filetypes.filter(({ isGeneric }) => isGeneric) : []
  const accepted = new Map<string, Filetype>()
  for (const filetype of [...own, ...generic]) {
    if (filetype.extension !== null && !accepted.has(filetype.extension)) {
      accepted.set(filetype.extension, filetype)
    }
  }
  return accepted
}

export const findFiletype = (identifier: string): Filetype | undefined => byIdentifier.get(identifier)

/**
 * Returns the type of a file uploaded for a platform. The longest known extension of the file determines the type. A
 * file without a known extension has the type `none` if the platform accepts such files. Returns undefined if the
 * platform rejects the file. The platform `generic` accepts every file.
 */
export function filetypeFor(file: { platform: string; filename: string }): Filetype | undefined {
  const accepted = byPlatform.get(file.platform)
  if (accepted === undefined) return undefined
  const isGeneric = file.platform === 'generic'
  const extensions = fileExtensions(file.filename, maxExtensionLength)
  for (const extension of extensions) {
    const filetype = accepted.get(extension) ?? (isGeneric ? byExtension.get(extension) : undefined)
    if (filetype !== undefined) return filetype
  }
  // An extension that is known on another platform suggests a mistake, so the file is not treated as one of unknown
  // type.
  if (extensions.some((extension) => byExtension.has(extension))) return undefined
  return acceptsUnknown(file.platform) ? byIdentifier.get(unknownIdentifier) : undefined
}

/** Returns whether the platform accepts files without a known extension, such as a plain executable. */
export function acceptsUnknown(platform: string): boolean {
  return byIdentifier.get(unknownIdentifier)?.platforms.includes(platform) ?? false
}

/**
 * Returns the accepted extensions without the leading dot, the platform's own extensions first. Returns an empty list
 * for an unknown platform.
 */
export function acceptedExtensions(platform: string): string[] {
  return [...(byPlatform.get(platform)?.keys() ?? [])]
}

/**
 * Returns the file type as it appears in responses. The name of an unknown identifier, which a newer version of the
 * service may have stored, is the identifier itself.
 */
export function filetypeResource(identifier: string): FiletypeResource {
  const filetype = findFiletype(identifier)
  if (filetype === undefined) return { identifier, name: identifier, extension: null, mime_type: anyBytes }
  const { name, extension, mimeType } = filetype
  return { identifier, name, extension, mime_type: mimeType }
}

/** The API reports `pending_processing` for builds of these types until they have been inspected. */
const mobile = new Set(['ipa', 'apk', 'aab'])
/** Types whose files may contain metadata. Files of unknown type can be executables without an extension, for example. */
const inspected = new Set(
  `app appimage appx appxbundle appxupload bin command deb dll dmg dylib elf exe flatpak gz gzip jar ko mpkg msi msix msixbundle
  msixupload none nupkg o out pkg pkg.tar.gz pkg.tar.xz pkg.tar.zst rpm run snap so squashfs tar.gz tar.xz tgz txz unix xar x86 x86_64
  xz zip zst`.split(/\s+/),
).union(mobile)

export const inspectedFiletypes: readonly string[] = [...inspected]

/** Returns the processing state of a new build: whether its primary file is inspected and whether clients wait for it. */
export function initialProcessing(filetypeIdentifier: string): 'waiting' | 'queued' | 'none' {
  if (mobile.has(filetypeIdentifier)) return 'waiting'
  return inspected.has(filetypeIdentifier) ? 'queued' : 'none'
}

/**
 * Formats the accepted extensions for messages, such as `.apk, .aab`. Summarizes the generic types, because there are
 * more than 100 of them.
 */
export function acceptedExtensionsText(platform: string): string {
  if (platform === 'generic') return 'every file type'
  const own = [...(byPlatform.get(platform)?.values() ?? [])].filter(({ isGeneric }) => !isGeneric)
  const named = own.map(({ extension }) => `.${extension}`)
  if (findPlatform(platform)?.acceptsGenericFiletypes) named.push('archives, images, scripts and libraries')
  return named.join(', ')
}
