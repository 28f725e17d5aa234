import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { iconUrl } from '../icons/icon.ts'

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subdomain: Type.String({ description: 'The ID of the workspace unless another subdomain is set.' }),
    logo_url: Nullable(Type.String()),
    custom_targets_enabled: Type.Boolean({ description: 'Whether builds can have custom targets.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Workspace' },
)

export const WorkspaceChanges = changesOf({
  name: name(100, 'Display name.'),
  subdomain: Nullable(
    Type.String({
      pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
      patternMessage:
        'must be 1 to 63 lowercase letters, digits and hyphens, and must not start or end with a hyphen.',
      description: '`null` restores the default, the ID of the workspace.',
    }),
  ),
  custom_targets_enabled: Type.Boolean(),
})

export type WorkspaceRow = {
  id: string
  name: string
  subdomain: string | null
  logo_object_key: string | null
  custom_targets_enabled: boolean
  created_at: string
  updated_at: string
}

export function workspaceResource(row: WorkspaceRow, publicUrl: string): Static<typeof Workspace> {
  const { id, name, custom_targets_enabled, created_at, updated_at } = row
  const subdomain = row.subdomain ?? id
  const logo_url = iconUrl(publicUrl, row.logo_object_key)
  return { id, name, subdomain, logo_url, custom_targets_enabled, created_at, updated_at }
}
