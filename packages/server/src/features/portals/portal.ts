import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { changesOf } from '../../http/changes.ts'
import { name, Nullable, PathId, text, Timestamp } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { readDomainName } from '../../lib/domain-name.ts'
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

const DnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT']),
    name: Type.String(),
    value: Type.String({ description: 'To be set at the domain, then POST …/custom-domain/verify.' }),
  },
  { title: 'DnsRecord' },
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
    custom_domain: Nullable(Type.String()),
    custom_domain_active: Type.Boolean({ description: 'True once the domain is verified.' }),
    custom_domain_verification: Nullable(DnsRecord),
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

const customDomain = Nullable(
  text(300, 'Host name, of this portal alone; another one has to be verified anew. null takes it away.'),
)

export const NewPortal = Type.Object({
  name: wish.name,
  description: Type.Optional(wish.description),
  type: Type.Optional(wish.type),
  subdomain: Type.Optional(wish.subdomain),
  custom_domain: Type.Optional(customDomain),
})

export const PortalChanges = changesOf({ ...wish, custom_domain: customDomain })

type Signing = Pick<Deps, 'secretBox' | 'config'>

/** The DNS record that shows that whoever holds the portal holds its domain. */
export const domainRecord = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  portalId: string,
  domain: string,
): Static<typeof DnsRecord> => ({
  type: 'TXT',
  name: `_quayside.${domain}`,
  value: `quayside-verification=${secretBox.token('portal domain v1', JSON.stringify([portalId, domain]))}`,
})

export function portalResource(row: PortalRow, signing: Signing): Static<typeof Portal> {
  const { publicUrl } = signing.config
  const { id, name, description, subdomain, custom_domain, custom_domain_active, applications } = row
  return {
    id,
    name,
    description,
    type: row.type as 'public' | 'private',
    icon_url: iconUrl(publicUrl, row.icon_object_key),
    portal_url: `${publicUrl}/portals/${subdomain ?? id}`,
    subdomain,
    custom_domain,
    custom_domain_active,
    custom_domain_verification: custom_domain === null ? null : domainRecord(signing, id, custom_domain),
    applications,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** What the audit log keeps of a portal. */
export function portalFacts(row: PortalRow) {
  const { name, description, type, subdomain, custom_domain, custom_domain_active, applications } = row
  return { name, description, type, subdomain, custom_domain, custom_domain_active, applications }
}

/** The domain as it is kept; throws `invalid` for what is none, or is where the service itself is. */
export function readCustomDomain(given: string | null, publicUrl: string): string | null {
  if (given === null || given.trim() === '') return null
  const domain = readDomainName(given)
  if (domain === undefined)
    throw invalid({ custom_domain: ['must be a host name such as downloads.example.com.'] })
  if (domain === new URL(publicUrl).hostname)
    throw invalid({ custom_domain: ['must be another one than that of this service.'] })
  return domain
}

const taken = (code: string, what: string) => (): Problem =>
  new Problem('conflict', code, `This ${what} is taken. Choose another.`)

export const takenNames = {
  portals_subdomain: taken('portal.subdomain_taken', 'subdomain'),
  portals_custom_domain: taken('portal.custom_domain_taken', 'custom domain'),
}
