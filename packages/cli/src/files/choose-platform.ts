import { Failure } from '../failure.ts'
import type { FileKind } from './file-kind.ts'
import {
  genericExtensions,
  genericPlatforms,
  nativeExtensions,
  unknownTypePlatforms,
} from './filetypes.data.ts'

/** Returns the platforms that accept a file with this name and kind, with the most likely platform first. */
export function platformsFor(filename: string, kind: FileKind): string[] {
  const extension = knownExtension(filename)
  if (extension === undefined) return preferByKind(unknownTypePlatforms.split(' '), kind)
  const native = nativeExtensions[extension]
  if (native === undefined) return genericPlatforms.split(' ')
  const platforms = native.split(' ')
  if (extension === 'apk')
    return platforms.filter((platform) => (platform === 'alpine') === (kind === 'gzip'))
  return extension === 'pkg' ? preferByKind(platforms, kind) : platforms
}

/**
 * Chooses a platform for a file: the platform that the file name mentions, otherwise the most likely one. `attached`
 * lists the application's platforms, or is undefined if they are unknown. Throws if no platform accepts the file or if
 * the choice is ambiguous.
 */
export function choosePlatform(filename: string, kind: FileKind, attached: string[] | undefined): string {
  const candidates = platformsFor(filename, kind)
  const accepted = attached === undefined ? candidates : candidates.filter((slug) => attached.includes(slug))
  const [mostLikely] = accepted
  if (mostLikely === undefined) {
    throw new Failure(
      'failed',
      `None of the application's platforms (${attached?.join(', ')}) accepts ${filename}. ` +
        `Add one with \`quayside platforms add ${candidates[0]}\`.`,
    )
  }
  const mentioned = accepted.find((slug) => mentions(filename, slug))
  if (mentioned !== undefined) return mentioned
  const isGeneric = candidates.length > 10 && kind !== 'elf' && kind !== 'mach-o'
  if (!isGeneric) return mostLikely
  if (accepted.includes('generic')) return 'generic'
  if (accepted.length === 1) return mostLikely
  throw new Failure(
    'usage',
    `${filename} matches several platforms (${accepted.join(', ')}). Choose one with --platform.`,
  )
}

function knownExtension(filename: string): string | undefined {
  const segments = filename.toLowerCase().split('.').slice(1)
  const extensions = segments.map((_, index) => segments.slice(index).join('.'))
  return extensions.find(
    (extension) => Object.hasOwn(nativeExtensions, extension) || genericExtensions.has(extension),
  )
}

const preferredByKind: Partial<Record<FileKind, string[]>> = {
  elf: ['linux'],
  'mach-o': ['macos'],
  xar: ['macos'],
  playstation: ['ps5', 'ps4'],
  xz: ['freebsd'],
  zstd: ['freebsd'],
  gzip: ['openbsd'],
}

function preferByKind(platforms: string[], kind: FileKind): string[] {
  const preferred = (preferredByKind[kind] ?? []).filter((slug) => platforms.includes(slug))
  return [...preferred, ...platforms.filter((slug) => !preferred.includes(slug))]
}

const platformNames: Record<string, string> = {
  windows: 'windows|win|win32|win64',
  macos: 'macos|mac|osx|darwin',
  wearos: 'wearos|wear',
  'apple-tv': 'appletv|apple-tv|tvos',
  'apple-watch': 'applewatch|apple-watch|watchos',
  'vision-pro': 'visionpro|vision-pro|visionos',
}

function mentions(filename: string, slug: string): boolean {
  if (slug === 'generic') return false
  return new RegExp(`(?<![a-z])(?:${platformNames[slug] ?? slug})(?![a-z])`, 'i').test(filename)
}
