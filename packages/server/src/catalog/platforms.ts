import { indexByIdentifier } from './named-entries.ts'
import { platformArchitectures } from './platform-architectures.data.ts'
import { platformRows } from './platforms.data.ts'

export type Platform = (typeof platformRows)[number]

/** A platform as it appears in responses. */
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

/**
 * Returns the platform as it appears in responses. The name of an unknown slug, which a newer version of the service
 * may have stored, is the slug itself.
 */
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

/**
 * Returns the architecture identifiers of a platform, common ones first. Returns an empty list if the platform is
 * unknown or has only one architecture.
 */
export const architecturesOf = (platformSlug: string): string[] => [
  ...(architecturesByPlatform.get(platformSlug) ?? []),
]

/**
 * Returns an error for each architecture that the platform does not support. The keys are `architectures.0` and so on.
 */
export function architectureErrors(
  platformSlug: string,
  identifiers: (string | undefined)[],
): Record<string, string[]> {
  const all = architecturesOf(platformSlug).join(', ')
  const hint =
    all === '' ? `${platformSlug} builds cannot have architectures.` : `${platformSlug} supports: ${all}.`
  return Object.fromEntries(
    identifiers.flatMap((identifier, index) =>
      identifier === undefined || platformSupports(platformSlug, identifier)
        ? []
        : [[`architectures.${index}`, [`"${identifier}" is not supported. ${hint}`]]],
    ),
  )
}

export function platformSupports(platformSlug: string, architectureIdentifier: string): boolean {
  return architecturesByPlatform.get(platformSlug)?.has(architectureIdentifier) ?? false
}
