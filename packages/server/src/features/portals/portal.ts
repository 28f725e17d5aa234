import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { iconUrl } from '../icons/icon.ts'
import type { PortalRow } from './portal.db.ts'

export const PortalId = PathId('Id of the portal.')
export const Mode = Type.Enum(['selective', 'all', 'none'])

export const PortalApplication = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    streams_mode: Mode,
    stream_ids: Type.Array(Type.String(), { description: 'With streams_mode selective.' }),
    releases_mode: Mode,
  },
  { title: 'PortalApplication' },
)

export const Portal = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    type: Type.Enum(['public', 'private']),
    icon_url: Nullable(Type.String()),
    portal_url: Type.String(),
    subdomain: Nullable(Type.String()),
    custom_domain_active: Type.Boolean(),
    applications: Type.Array(PortalApplication),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Portal' },
)

const wish = {
  name: name(100, 'Name for people.'),
  description: Nullable(text(1000)),
  type: Type.Enum(['public', 'private'], { description: 'A private one asks who somebody is.' }),
  subdomain: Nullable(
    Type.String({
      maxLength: 63,
      pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
      patternMessage: 'must be lower-case letters, digits and inner hyphens.',
      examples: ['downloads'],
    }),
  ),
}

export const NewPortal = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  type: Type.Optional(wish.type),
  subdomain: Type.Optional(wish.subdomain),
})

export const PortalChanges = changesOf(wish)

export function portalResource(row: PortalRow, publicUrl: string): Static<typeof Portal> {
  const { id, name, description, subdomain, custom_domain_active, applications } = row
  return {
    id,
    name,
    description,
    type: row.type as 'public' | 'private',
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    portal_url: `${publicUrl}/portals/${subdomain ?? id}`,
    subdomain,
    custom_domain_active,
    applications,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** What the audit log keeps of a portal. */
export function portalFacts({ name, description, type, subdomain, applications }: PortalRow) {
  return { name, description, type, subdomain, applications }
}

export const subdomainTaken = (): Problem =>
  new Problem('conflict', 'portal.subdomain_taken', 'This subdomain is taken. Choose another.')
