import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { name, Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { applicationScopes } from '../../http/endpoint/scopes.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import type { AddressRules } from '../../net/address-rules.ts'
import { isIssuerUrl, literalAddress } from '../../net/issuer-url.ts'
import { ruleWarnings } from './hosted-issuers.ts'
import type { TrustedPublisherRow } from './trusted-publisher.db.ts'

export const maxRules = 20

export const TrustedPublisherId = PathId('ID of the trusted publisher.')

const value = Type.String({ maxLength: 500 })
const Claims = Type.Unsafe<Record<string, string | string[]>>({
  type: 'object',
  additionalProperties: Type.Union([value, Type.Array(value, { maxItems: 50 })]),
  description:
    'Required claims of the token, 1 to 20: each name maps to a pattern, or to a list of patterns of ' +
    'which one must match. `*` matches any number of characters, including none and `/`. `iss`, `aud`, ' +
    '`exp`, `nbf`, `iat` and `jti` are not allowed. For GitHub, gitlab.com and Buildkite, the repository, ' +
    'project, organization or owner must be specified without `*`. At most 8 KiB as JSON.',
  examples: [{ repository_id: '123456789', ref: 'refs/heads/main' }],
})

const fields = {
  name: name(100, 'Name of the trusted publisher. Keys issued through it have this name.'),
  issuer: Type.String({
    maxLength: 500,
    description: 'HTTPS URL of the OIDC issuer, exactly as in the `iss` claim of its tokens.',
    examples: ['https://token.actions.githubusercontent.com'],
  }),
  audience: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Required `aud` claim of the token. Defaults to the public URL of this service.',
  }),
  claims: Claims,
  scopes: Type.Array(Type.String({ maxLength: 50 }), {
    minItems: 1,
    maxItems: 50,
    description: `Scopes of the issued keys; your own key must hold them. Any of: ${applicationScopes.join(', ')}.`,
    examples: [['builds:create']],
  }),
}

const expiresAt = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 40,
      description:
        'ISO 8601 timestamp after which no token is exchanged and no issued key is valid. If omitted or `null`, the ' +
        'trusted publisher expires when the key that creates it expires, or never if that key does not expire.',
    }),
  ),
)

export const NewTrustedPublisher = Type.Object({
  ...fields,
  audience: Type.Optional(fields.audience),
  expires_at: expiresAt,
})

export const TrustedPublisherChanges = changesOf({ ...fields, expires_at: expiresAt })

export const TrustedPublisher = Type.Object(
  {
    id: Type.String(),
    ...fields,
    application_id: Type.String(),
    created_by: Nullable(Type.String({ description: 'ID of the API key that created it.' })),
    expires_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    warnings: Type.Array(Type.String(), {
      description: 'Recommendations that would make the trusted publisher safer.',
    }),
  },
  { title: 'TrustedPublisher' },
)

export function trustedPublisherResource(row: TrustedPublisherRow): Static<typeof TrustedPublisher> {
  const { id, name, issuer, audience, scopes, application_id } = row
  const { created_by, expires_at, created_at, updated_at } = row
  const claims = row.claims as Record<string, string | string[]>
  const warnings = ruleWarnings(issuer, claims)
  return {
    id,
    name,
    issuer,
    audience,
    claims,
    scopes,
    application_id,
    created_by,
    expires_at,
    created_at,
    updated_at,
    warnings,
  }
}

/** Returns the fields of a trusted publisher that the audit log records. */
export function trustedPublisherAuditSnapshot(row: TrustedPublisherRow) {
  const { name, issuer, audience, claims, scopes, expires_at } = row
  return { name, issuer, audience, claims, scopes, expires_at }
}

/** Throws `invalid` unless the text is an issuer URL whose address the service may call. */
export function requireIssuer(text: string, addresses: AddressRules): void {
  if (!isIssuerUrl(text))
    throw invalid({
      issuer: ['must be an https URL without a query, exactly as in the `iss` claim of the tokens.'],
    })
  const address = literalAddress(text)
  if (address !== undefined && !addresses.allows(address))
    throw invalid({
      issuer: [
        'must be on a public host, unless the service allows its address with QUAYSIDE_ISSUER_ALLOW_PRIVATE.',
      ],
    })
}

export const tooManyRules = problem(
  'conflict',
  'trusted_publisher.too_many',
  `An application can have at most ${maxRules} trusted publishers. Delete one, or list several values for one claim.`,
)
