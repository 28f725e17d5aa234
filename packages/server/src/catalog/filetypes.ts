import { fileExtensions, longestOf } from './file-endings.ts'
import { genericFiletypes, platformFiletypes } from './filetypes.data.ts'
import { mimeTypes } from './mime-types.data.ts'
import { indexByIdentifier } from './named-entries.ts'
import { findPlatform, platforms, type Platform } from './platforms.ts'

export type Filetype = {
  identifier: string
  name: string
  /** Without its dot, perhaps of several parts (`tar.gz`); null for the unknown type. */
  extension: string | null
  mimeType: string
  /** Taken by every platform that accepts generic types. */
  isGeneric: boolean
  /** The platforms that name it. */
  platforms: readonly string[]
}

/** As answers show it. */
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
const knownExtensions = new Set(filetypes.map(({ extension }) => extension))
const longestExtension = longestOf([...knownExtensions].filter((extension) => extension !== null))

/** By extension, for each platform: its own types before the generic ones, and of equal ones the first. */
const byPlatform = new Map(platforms.map((platform) => [platform.identifier, filetypesOf(platform)]))

function filetypesOf(platform: Platform): ReadonlyMap<string, Filetype> {
  const own = filetypes.filter((filetype) => filetype.platforms.includes(platform.identifier))
  const generic = platform.acceptsGenericFiletypes ? filetypes.filter(({ isGeneric }) => isGeneric) : []
  const byExtension = new Map<string, Filetype>()
  for (const filetype of [...own, ...generic]) {
    if (filetype.extension !== null && !byExtension.has(filetype.extension)) {
      byExtension.set(filetype.extension, filetype)
    }
  }
  return byExtension
}

export const findFiletype = (identifier: string): Filetype | undefined => byIdentifier.get(identifier)

/**
 * The type of a file uploaded for a platform, by its longest known extension. A name without any known extension is
 * of the unknown type `none` where the platform takes that; undefined = the platform does not take such a file.
 */
export function filetypeFor(file: { platform: string; filename: string }): Filetype | undefined {
  const accepted = byPlatform.get(file.platform)
  if (accepted === undefined) return undefined
  const extensions = fileExtensions(file.filename, longestExtension)
  for (const extension of extensions) {
    const filetype = accepted.get(extension)
    if (filetype !== undefined) return filetype
  }
  // an installer for another platform is a slip of the hand, not a file of unknown type
  if (extensions.some((extension) => knownExtensions.has(extension))) return undefined
  return acceptsUnknown(file.platform) ? byIdentifier.get(unknownIdentifier) : undefined
}

/** Whether the platform takes files without any known extension, such as a plain executable. */
export function acceptsUnknown(platform: string): boolean {
  return byIdentifier.get(unknownIdentifier)?.platforms.includes(platform) ?? false
}

/** Extensions without their dot, the platform's own before the generic ones; empty for an unknown platform. */
export function acceptedExtensions(platform: string): string[] {
  return [...(byPlatform.get(platform)?.keys() ?? [])]
}

/** A type this version does not know (a newer one wrote it) goes by its identifier. */
export function filetypeResource(identifier: string): FiletypeResource {
  const filetype = findFiletype(identifier)
  if (filetype === undefined) return { identifier, name: identifier, extension: null, mime_type: anyBytes }
  const { name, extension, mimeType } = filetype
  return { identifier, name, extension, mime_type: mimeType }
}

const processed = new Set(['ipa', 'apk', 'aab'])

/** Whether facts are read out of such a file after verify. */
export const needsProcessing = (filetypeIdentifier: string): boolean => processed.has(filetypeIdentifier)

/** For messages: `.apk, .aab`; of the generic types only the kinds are named, there are more than a hundred. */
export function acceptedExtensionsText(platform: string): string {
  const own = [...(byPlatform.get(platform)?.values() ?? [])].filter(({ isGeneric }) => !isGeneric)
  const named = own.map(({ extension }) => `.${extension}`)
  if (findPlatform(platform)?.acceptsGenericFiletypes) named.push('archives, images, scripts and libraries')
  return named.join(', ')
}
