import { Type, type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { emailPattern, name, Nullable, PathId, text, Timestamp } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { readDomainName } from '../../net/domain-name.ts'
import { FeedbackEnabled } from '../feedback/feedback.ts'
import { iconUrl } from '../icons/icon.ts'
import type { PortalRow } from './portal.db.ts'

export const PortalId = PathId('ID of the portal.')
export const Mode = Type.Enum(['selective', 'all', 'none'])

const PortalApplication = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    streams_mode: Mode,
    stream_ids: Type.Array(Type.String(), { description: 'Set if `streams_mode` is `selective`.' }),
    releases_mode: Mode,
  },
  { title: 'PortalApplication' },
)

const DnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT']),
    name: Type.String(),
    value: Type.String({
      description: 'Add this record to the DNS of the domain, then POST to `/custom-domain/verify`.',
    }),
  },
  { title: 'DnsRecord' },
)

export const PortalUrl = Type.String({
  description:
    'URL of the page of the portal: at its custom domain once that is verified, otherwise at its subdomain if the server has a domain for portals, otherwise below the URL of the server.',
})

export type PortalAddresses = Pick<Config, 'publicUrl' | 'portalDomain'>

type Addressed = {
  id: string
  subdomain: string | null
  /** The subdomain of the workspace, or its ID. */
  workspace_subdomain: string
  custom_domain: string | null
  custom_domain_active: boolean
}

/** The path at the address of the service below which every portal is served. */
export const portalPrefix = '/p/'

/**
 * Returns the URL of a portal without a trailing slash: at its verified custom domain, otherwise at its subdomain if the
 * service has a domain for portals, otherwise below the URL of the service. Own hosts have the scheme and port of the service.
 */
export function portalUrl({ publicUrl, portalDomain }: PortalAddresses, portal: Addressed): string {
  const host = ownHostOf(portal, portalDomain)
  if (host === undefined) return `${publicUrl}${portalPrefix}${portal.id}`
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

function ownHostOf(
  { custom_domain, custom_domain_active, subdomain, workspace_subdomain }: Addressed,
  portalDomain: string | undefined,
): string | undefined {
  if (custom_domain !== null && custom_domain_active) return custom_domain
  if (portalDomain === undefined || subdomain === null) return undefined
  return `${subdomain}.${workspace_subdomain}.${portalDomain}`
}

export const Portal = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    type: Type.Enum(['public', 'private']),
    icon_url: Nullable(Type.String()),
    portal_url: PortalUrl,
    subdomain: Nullable(Type.String()),
    custom_domain: Nullable(Type.String()),
    custom_domain_active: Type.Boolean({ description: '`true` once the domain is verified.' }),
    custom_domain_verification: Nullable(DnsRecord),
    accent_color: Nullable(
      Type.String({ description: 'Color of buttons and links on the pages of the portal.' }),
    ),
    allowed_visitors: Type.Array(Type.String(), {
      description: 'Who can open a private portal, in addition to the members of the workspace.',
    }),
    feedback_enabled: FeedbackEnabled,
    applications: Type.Array(PortalApplication),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Portal' },
)

const writableFields = {
  name: name(100, 'Display name.'),
  description: Nullable(text(1000)),
  type: Type.Enum(['public', 'private'], {
    description: 'Visitors of a `private` portal must identify themselves.',
  }),
  subdomain: Nullable(
    Type.String({
      maxLength: 63,
      pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
      patternMessage:
        'must contain only lowercase letters, digits and hyphens, and must not start or end with a hyphen.',
      examples: ['downloads'],
    }),
  ),
  accent_color: Nullable(
    Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      patternMessage: 'must be a color such as #0b6bcb.',
      description:
        'Color of buttons and links. The pages use a darker or lighter shade where it would be hard to read. `null` uses the default color.',
      examples: ['#0b6bcb'],
    }),
  ),
  allowed_visitors: Type.Array(
    Type.String({
      maxLength: 254,
      pattern: emailPattern.replace('+@', '*@'),
      patternMessage: 'must be an email address, or a domain such as @example.com.',
      examples: ['@example.com'],
    }),
    {
      maxItems: 1000,
      description:
        'Email addresses, or domains such as `@example.com`, whose owners can open a private portal with a code that is sent to them. Members of the workspace can always open it.',
    },
  ),
  feedback_enabled: FeedbackEnabled,
}

const customDomain = Nullable(
  text(
    300,
    'Host name that no other portal of the workspace uses. It is reserved for the first portal that verifies it. A changed domain must be verified again. `null` removes it.',
  ),
)

export const NewPortal = Type.Object({
  name: writableFields.name,
  description: Type.Optional(writableFields.description),
  type: Type.Optional(writableFields.type),
  subdomain: Type.Optional(writableFields.subdomain),
  custom_domain: Type.Optional(customDomain),
  accent_color: Type.Optional(writableFields.accent_color),
  allowed_visitors: Type.Optional(writableFields.allowed_visitors),
  feedback_enabled: Type.Optional(writableFields.feedback_enabled),
})

export const PortalChanges = changesOf({ ...writableFields, custom_domain: customDomain })

type Signing = Pick<Deps, 'secretBox' | 'config'>

const domainProof = { purpose: 'portal domain v1', prefix: 'quayside-verification=' }
const domainText = (portalId: string, domain: string): string => JSON.stringify([portalId, domain])

/** Returns whether the value of a DNS record proves control of a custom domain. */
export const isDomainProof = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  value: string,
  portalId: string,
  domain: string,
): boolean =>
  value.startsWith(domainProof.prefix) &&
  secretBox.isToken(value.slice(domainProof.prefix.length), domainProof.purpose, domainText(portalId, domain))

/** Returns the DNS record with which a portal owner proves control of a custom domain. */
export const domainRecord = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  portalId: string,
  domain: string,
): Static<typeof DnsRecord> => ({
  type: 'TXT',
  name: `_quayside.${domain}`,
  value: `${domainProof.prefix}${secretBox.token(domainProof.purpose, domainText(portalId, domain))}`,
})

export function portalResource(row: PortalRow, signing: Signing): Static<typeof Portal> {
  const { config } = signing
  const { id, name, description, subdomain, custom_domain, custom_domain_active, applications } = row
  return {
    id,
    name,
    description,
    type: row.type as 'public' | 'private',
    icon_url: iconUrl(config.publicUrl, row.icon_object_key),
    portal_url: portalUrl(config, row),
    subdomain,
    custom_domain,
    custom_domain_active,
    custom_domain_verification: custom_domain === null ? null : domainRecord(signing, id, custom_domain),
    accent_color: row.accent_color,
    allowed_visitors: row.allowed_visitors,
    feedback_enabled: row.feedback_enabled,
    applications,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns the fields of a portal that the audit log records. */
export function portalAuditSnapshot(row: PortalRow) {
  const { name, description, type, subdomain, custom_domain, custom_domain_active, applications } = row
  const { accent_color, allowed_visitors, feedback_enabled } = row
  return {
    name,
    description,
    type,
    subdomain,
    custom_domain,
    custom_domain_active,
    accent_color,
    allowed_visitors,
    feedback_enabled,
    applications,
  }
}

/** Normalizes a domain; throws `invalid` if it is not a host name or is the host name of this service. */
export function readCustomDomain(
  input: string | null,
  { publicUrl, portalDomain }: Pick<Config, 'publicUrl' | 'portalDomain'>,
): string | null {
  if (input === null || input.trim() === '') return null
  const domain = readDomainName(input)
  if (domain === undefined)
    throw invalid({ custom_domain: ['must be a host name such as downloads.example.com.'] })
  if (domain === new URL(publicUrl).hostname)
    throw invalid({ custom_domain: ['must differ from the host name of this service.'] })
  if (portalDomain !== undefined && `.${domain}`.endsWith(`.${portalDomain}`))
    throw invalid({ custom_domain: [`must not be below ${portalDomain}, which this service manages.`] })
  return domain
}

/** Returns addresses and domains in lower case, without duplicates. */
export const readVisitors = (entries: readonly string[]): string[] => [
  ...new Set(entries.map((entry) => entry.toLowerCase())),
]

/** Returns a color in lower case. */
export const readColor = (color: string | null): string | null => color?.toLowerCase() ?? null

const subdomainTaken = problem(
  'conflict',
  'portal.subdomain_taken',
  'This subdomain is already in use. Choose another one.',
)

const domainTakenInWorkspace = problem(
  'conflict',
  'portal.custom_domain_taken',
  'This custom domain is already in use. Choose another one.',
)

export const domainTaken = problem(
  'conflict',
  'portal.custom_domain_taken',
  'Another portal has already verified this custom domain. Choose another domain.',
)

export const takenNames = {
  portals_subdomain: subdomainTaken,
  portals_custom_domain: domainTaken,
  portals_custom_domain_in_workspace: domainTakenInWorkspace,
}

export const takenNameProblems = Object.values(takenNames)
