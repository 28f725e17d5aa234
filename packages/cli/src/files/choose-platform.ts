import { Failure } from '../failure.ts'
import {
  genericExtensions,
  genericPlatforms,
  nativeExtensions,
  unknownTypePlatforms,
} from './filetypes.data.ts'
import type { Kind } from './first-bytes.ts'

/** Platforms that take a file of this name and beginning, the likeliest first. */
export function platformsFor(filename: string, kind: Kind): string[] {
  const extension = knownExtension(filename)
  if (extension === undefined) return byKind(unknownTypePlatforms.split(' '), kind)
  const native = nativeExtensions[extension]
  if (native === undefined) return genericPlatforms.split(' ')
  const platforms = native.split(' ')
  if (extension === 'apk')
    return platforms.filter((platform) => (platform === 'alpine') === (kind === 'gzip'))
  return extension === 'pkg' ? byKind(platforms, kind) : platforms
}

/**
 * The platform of a file among those attached to the application (undefined = not known): the only one that
 * takes it, else the one its name mentions, else the likeliest. Where that would be a guess, it asks.
 */
export function choosePlatform(filename: string, kind: Kind, attached: string[] | undefined): string {
  const candidates = platformsFor(filename, kind)
  const usable = attached === undefined ? candidates : candidates.filter((slug) => attached.includes(slug))
  const [likeliest] = usable
  if (likeliest === undefined) {
    throw new Failure(
      'failed',
      `The application has the platforms ${attached?.join(', ')}, and none of them takes ${filename}: ` +
        `attach ${candidates[0]} to it, or name another platform with --platform.`,
    )
  }
  const named = usable.find((slug) => mentions(filename, slug))
  if (named !== undefined) return named
  const isAnyones = candidates.length > 10 && kind !== 'elf' && kind !== 'mach-o'
  if (!isAnyones) return likeliest
  if (usable.includes('generic')) return 'generic'
  if (usable.length === 1) return likeliest
  throw new Failure('usage', `${filename} could be for ${usable.join(', ')}: say which with --platform.`)
}

function knownExtension(filename: string): string | undefined {
  const segments = filename.toLowerCase().split('.').slice(1)
  const tails = segments.map((_, index) => segments.slice(index).join('.'))
  return tails.find((tail) => Object.hasOwn(nativeExtensions, tail) || genericExtensions.has(tail))
}

const preferredByKind: Partial<Record<Kind, string[]>> = {
  elf: ['linux'],
  'mach-o': ['macos'],
  xar: ['macos'],
  playstation: ['ps5', 'ps4'],
  xz: ['freebsd'],
  zstd: ['freebsd'],
  gzip: ['openbsd'],
}

function byKind(platforms: string[], kind: Kind): string[] {
  const preferred = (preferredByKind[kind] ?? []).filter((slug) => platforms.includes(slug))
  return [...preferred, ...platforms.filter((slug) => !preferred.includes(slug))]
}

const otherNames: Record<string, string> = {
  windows: 'windows|win|win32|win64',
  macos: 'macos|mac|osx|darwin',
  wearos: 'wearos|wear',
  'apple-tv': 'appletv|apple-tv|tvos',
  'apple-watch': 'applewatch|apple-watch|watchos',
  'vision-pro': 'visionpro|vision-pro|visionos',
}

function mentions(filename: string, slug: string): boolean {
  if (slug === 'generic') return false
  return new RegExp(`(?<![a-z])(?:${otherNames[slug] ?? slug})(?![a-z])`, 'i').test(filename)
}
