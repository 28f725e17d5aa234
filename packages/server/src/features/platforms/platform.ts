import { Type } from 'typebox'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { findPlatform, platforms } from '../../catalog/platforms.ts'
import { invalid } from '../../http/endpoint/validation.ts'

export const Platform = Type.Object(
  {
    identifier: Type.String(),
    name: Type.String(),
    short_name: Type.String(),
    upload_instruction: Type.String(),
  },
  { title: 'Platform' },
)

export const Architecture = Type.Object(
  { identifier: Type.String(), name: Type.String(), description: Type.String() },
  { title: 'Architecture' },
)

export const unknownPlatform = (slug: string): string =>
  `"${slug}" is not a platform. Use one of: ${identifiersOf(platforms)}.`

/** Returns the slugs without duplicates; throws 422 if any slug is not a known platform. */
export function requirePlatforms(slugs: string[]): string[] {
  const errors: Record<string, string[]> = {}
  for (const [index, slug] of slugs.entries())
    if (findPlatform(slug) === undefined) errors[`platforms.${index}`] = [unknownPlatform(slug)]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return [...new Set(slugs)]
}
