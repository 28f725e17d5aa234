import { Type, type Static } from 'typebox'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { findPlatform, platforms } from '../../catalog/platforms.ts'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, text, Timestamp } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { sizeString } from '../../lib/sizes.ts'
import { iconUrl } from '../icons/icon.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  icon_url: Nullable(Type.String()),
  custom_store_enabled: Type.Boolean(),
  storage_usage: Type.Object({
    total_bytes: Type.Integer(),
    total_string: Type.String(),
    hosted_bytes: Type.Integer(),
    self_hosted_bytes: Type.Integer(),
  }),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Application = Type.Object(fields, { title: 'Application' })

export const SingleApplication = Type.Object(
  { ...fields, build_count: Type.Integer() },
  { title: 'SingleApplication' },
)

export type ApplicationRow = {
  id: string
  workspace_id: string
  name: string
  description: string | null
  icon_object_key: string | null
  custom_store_enabled: boolean
  created_at: string
  updated_at: string
}

export function applicationResource(
  row: ApplicationRow,
  storedBytes: number,
  publicUrl: string,
): Static<typeof Application> {
  const { id, name, description, custom_store_enabled, workspace_id, created_at, updated_at } = row
  return {
    id,
    name,
    description,
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    custom_store_enabled,
    storage_usage: {
      total_bytes: storedBytes,
      total_string: sizeString(storedBytes),
      hosted_bytes: storedBytes,
      self_hosted_bytes: 0,
    },
    workspace_id,
    created_at,
    updated_at,
  }
}

const wish = {
  name: name(100, 'Name for people.'),
  description: Nullable(text(1000)),
  custom_store_enabled: Type.Boolean(),
}

export const NewApplication = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  platforms: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 50,
      description: `Of: ${identifiersOf(platforms)}.`,
    }),
  ),
})

export const ApplicationChanges = changesOf(wish)

/** What the audit log keeps of an application. */
export const applicationFacts = ({ name, description, custom_store_enabled }: ApplicationRow) => ({
  name,
  description,
  custom_store_enabled,
})

/** The slugs, each once; throws `invalid` that names those that are no platform. */
export function requirePlatforms(slugs: string[]): string[] {
  const errors: Record<string, string[]> = {}
  for (const [index, slug] of slugs.entries()) {
    if (findPlatform(slug) === undefined) errors[`platforms.${index}`] = [`"${slug}" is not a platform.`]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return [...new Set(slugs)]
}
