import { indexByIdentifier } from './named-entries.ts'
import { platformArchitectures } from './platform-architectures.data.ts'
import { platformRows } from './platforms.data.ts'

export type Platform = (typeof platformRows)[number]

/** As answers show it (contract 2.4). */
export type PlatformResource = {
  identifier: string
  name: string
  short_name: string
  upload_instruction: string
}

export const platforms: readonly Platform[] = platformRows

export const platformSlugs: readonly string[] = platforms.map(({ identifier }) => identifier)

const byIdentifier = indexByIdentifier(platforms)

export const findPlatform = (slug: string): Platform | undefined => byIdentifier.get(slug)

/** A slug this version does not know (a newer one wrote it) goes by itself, so that lists go on answering. */
export function platformResource(slug: string): PlatformResource {
  const platform = findPlatform(slug)
  if (platform === undefined)
    return { identifier: slug, name: slug, short_name: slug, upload_instruction: '' }
  return {
    identifier: platform.identifier,
    name: platform.name,
    short_name: platform.shortName,
    upload_instruction: platform.uploadInstruction,
  }
}

const architecturesByPlatform = new Map(
  Object.entries(platformArchitectures).map(([slug, identifiers]) => [slug, new Set(identifiers.split(' '))]),
)

/** Architecture identifiers, the common ones first; empty for an unknown platform and for one of a single kind. */
export const architecturesOf = (platformSlug: string): string[] => [
  ...(architecturesByPlatform.get(platformSlug) ?? []),
]

/** What to tell of those that the platform does not support, under `architectures.0` and so on. */
export function architectureErrors(platformSlug: string, identifiers: string[]): Record<string, string[]> {
  const all = architecturesOf(platformSlug).join(', ')
  const hint = all === '' ? `${platformSlug} takes none.` : `${platformSlug} takes: ${all}.`
  return Object.fromEntries(
    identifiers.flatMap((identifier, index) =>
      platformSupports(platformSlug, identifier)
        ? []
        : [[`architectures.${index}`, [`"${identifier}" is not supported; ${hint}`]]],
    ),
  )
}

export function platformSupports(platformSlug: string, architectureIdentifier: string): boolean {
  return architecturesByPlatform.get(platformSlug)?.has(architectureIdentifier) ?? false
}
