import {
  genericExtensions,
  genericPlatforms,
  nativeExtensions,
  unknownTypePlatforms,
} from './filetypes.data.ts'

/** The kind of a file, detected from its first bytes. It distinguishes file types that share an extension. */
export type FileKind = 'zip' | 'gzip' | 'xz' | 'zstd' | 'xar' | 'playstation' | 'elf' | 'mach-o' | 'unknown'

const signatures: [FileKind, string][] = [
  ['zip', '504b0304'],
  ['gzip', '1f8b'],
  ['xz', 'fd377a585a00'],
  ['zstd', '28b52ffd'],
  ['xar', '78617221'],
  ['playstation', '7f434e54'],
  ['playstation', '7f464948'],
  ['elf', '7f454c46'],
  ['mach-o', 'cafebabe'],
  ['mach-o', 'cffaedfe'],
  ['mach-o', 'cefaedfe'],
]

/** Detects the kind of a file from its first 16 bytes. */
export function detectKind(head: Uint8Array): FileKind {
  const hex = Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return signatures.find(([, signature]) => hex.startsWith(signature))?.[0] ?? 'unknown'
}

/** The chosen platform, or why none was chosen: no platform accepts the file, or the choice is ambiguous. */
export type PlatformChoice = { platform: string } | { rejected: string[] } | { ambiguous: string[] }

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
 * lists the application's platforms, or is undefined if they are unknown. If no attached platform accepts the file,
 * `rejected` lists those that do; if the choice is ambiguous, `ambiguous` lists the candidates.
 */
export function choosePlatform(
  filename: string,
  kind: FileKind,
  attached: readonly string[] | undefined,
): PlatformChoice {
  const candidates = platformsFor(filename, kind)
  const accepted = attached === undefined ? candidates : candidates.filter((slug) => attached.includes(slug))
  const [mostLikely] = accepted
  if (mostLikely === undefined) return { rejected: candidates }
  const mentioned = accepted.find((slug) => mentions(filename, slug))
  if (mentioned !== undefined) return { platform: mentioned }
  const isGeneric = candidates.length > 10 && kind !== 'elf' && kind !== 'mach-o'
  if (!isGeneric) return { platform: mostLikely }
  if (accepted.includes('generic')) return { platform: 'generic' }
  return accepted.length === 1 ? { platform: mostLikely } : { ambiguous: accepted }
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
