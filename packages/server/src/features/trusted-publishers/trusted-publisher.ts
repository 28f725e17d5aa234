import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/changes.ts'
import { name, PathId, Timestamp } from '../../http/fields.ts'
import { applicationScopes } from '../../http/scopes.ts'
import { invalid } from '../../http/validation.ts'
import type { AddressRules } from '../../lib/address-rules.ts'
import { isIssuerUrl, literalAddress } from '../../lib/issuer-url.ts'
import { Problem } from '../../lib/problem.ts'
import { warningsOf } from './hosted-issuers.ts'
import type { TrustedPublisherRow } from './trusted-publisher.db.ts'

export const mostRules = 20

export const TrustedPublisherId = PathId('Id of the trusted publisher.')

const value = Type.String({ maxLength: 500 })
const Claims = Type.Unsafe<Record<string, string | string[]>>({
  type: 'object',
  additionalProperties: Type.Union([value, Type.Array(value, { maxItems: 50 })]),
  description:
    'Claim → text, or list of texts of which one must fit; every claim must fit. `*` in a text stands for any ' +
    'characters, also / and none; nothing else has a meaning. 1 to 20 claims; not iss, aud, exp, nbf, iat, jti. ' +
    'Of GitHub, gitlab.com and Buildkite the repository, project, organisation or its owner must be named without *.',
  examples: [{ repository_id: '123456789', ref: 'refs/heads/main' }],
})

const wish = {
  name: name(100, 'Who is trusted; the keys made for it bear its name.'),
  issuer: Type.String({
    maxLength: 500,
    description: 'URL of the OIDC issuer, exactly as the claim iss of its tokens says it. https.',
    examples: ['https://token.actions.githubusercontent.com'],
  }),
  audience: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'What the claim aud must hold; without it the public URL of this service.',
  }),
  claims: Claims,
  scopes: Type.Array(Type.String({ maxLength: 50 }), {
    minItems: 1,
    maxItems: 50,
    description: `What tokens get, never more than your own key has: ${applicationScopes.join(', ')}.`,
    examples: [['builds:create']],
  }),
}

export const NewTrustedPublisher = Type.Object({ ...wish, audience: Type.Optional(wish.audience) })

export const TrustedPublisherChanges = changesOf(wish)

export const TrustedPublisher = Type.Object(
  {
    id: Type.String(),
    ...wish,
    application_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    warnings: Type.Array(Type.String(), { description: 'What would make the rule safer.' }),
  },
  { title: 'TrustedPublisher' },
)

export function trustedPublisherResource(row: TrustedPublisherRow): Static<typeof TrustedPublisher> {
  const { id, name, issuer, audience, scopes, application_id, created_at, updated_at } = row
  const claims = row.claims as Record<string, string | string[]>
  const warnings = warningsOf(issuer, claims)
  return { id, name, issuer, audience, claims, scopes, application_id, created_at, updated_at, warnings }
}

/** What the audit log keeps of a rule. */
export function trustedPublisherFacts({ name, issuer, audience, claims, scopes }: TrustedPublisherRow) {
  return { name, issuer, audience, claims, scopes }
}

/** Throws `invalid` for what can be no issuer: no https, parts that no issuer has, an address that is not public. */
export function requireIssuer(text: string, addresses: AddressRules): void {
  if (!isIssuerUrl(text))
    throw invalid({ issuer: ['must be an https URL without a query, as the claim iss of a token has it.'] })
  const address = literalAddress(text)
  if (address !== undefined && !addresses.allows(address))
    throw invalid({
      issuer: [
        'must be a public host, unless QUAYSIDE_ISSUER_ALLOW_PRIVATE of the service allows its address.',
      ],
    })
}

export const tooManyRules = (): Problem =>
  new Problem(
    'conflict',
    'trusted_publisher.too_many',
    `An application has at most ${mostRules} trusted publishers: delete one, or put several values into one claim.`,
  )
