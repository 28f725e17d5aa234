import { Problem } from '../../lib/problem.ts'
import { textsOf, unfitClaims, type ClaimRules, type Claims } from './claims.ts'
import { isAkin } from './hosted-issuers.ts'
import { said } from './run.ts'
import type { TrustedPublisherRow } from './trusted-publisher.db.ts'

/** Whether a rule takes the token; the names of the claims that speak against it. */
function objections({ audience, claims: rules }: TrustedPublisherRow, claims: Claims): string[] {
  const unfit = unfitClaims(rules as ClaimRules, claims)
  return textsOf(claims, 'aud').includes(audience) ? unfit : ['aud', ...unfit]
}

/** The rules, all of one application, that take the token; throws where there are none, or of several applications. */
export function requireTrusting(
  rules: readonly TrustedPublisherRow[],
  claims: Claims,
  applicationId: string | undefined,
): { applicationId: string; workspaceId: string; trusting: TrustedPublisherRow[] } {
  const trusting = rules.filter((rule) => objections(rule, claims).length === 0)
  const [first] = trusting
  if (first === undefined) throw nearMiss(rules, claims, applicationId) ?? notTrusted(claims, applicationId)
  if (trusting.some(({ application_id }) => application_id !== first.application_id)) throw ambiguous()
  return { applicationId: first.application_id, workspaceId: first.workspace_id, trusting }
}

/** What differs from the rule that comes nearest: of the application that is named, for the repository or owner it names. */
function nearMiss(
  rules: readonly TrustedPublisherRow[],
  claims: Claims,
  applicationId: string | undefined,
): Problem | undefined {
  if (applicationId === undefined) return undefined
  const [nearest] = rules
    .filter((rule) => isAkin(rule.claims as ClaimRules, claims))
    .map((rule) => ({ rule, unfit: objections(rule, claims) }))
    .toSorted((a, b) => a.unfit.length - b.unfit.length)
  if (nearest === undefined) return undefined
  const differences = nearest.unfit.map((name) => `${name} is ${said(claims, name)}`).join(', ')
  return new Problem(
    'forbidden',
    'oidc.claims',
    `The trusted publisher "${nearest.rule.name}" does not take this token: ${differences}. Change the workflow or the rule.`,
  )
}

/**
 * One answer for an issuer nobody trusts, a signature that is none of its, an application that is not there and rules that
 * ask for something else: a token of a stranger must not tell him who trusts whom.
 */
export function notTrusted(claims: Claims, applicationId: string | undefined): Problem {
  const facts = ['iss', 'aud', 'sub'].map((name) => `${name} is ${said(claims, name)}`).join(', ')
  return applicationId === undefined
    ? new Problem(
        'forbidden',
        'oidc.not_trusted',
        `No application trusts this token: ${facts}. Send application_id too, to be told more.`,
      )
    : new Problem(
        'not_found',
        'oidc.not_trusted',
        `No application of this id trusts this token: ${facts}. Compare that with its trusted publishers.`,
      )
}

export const ambiguous = (): Problem =>
  new Problem(
    'conflict',
    'oidc.ambiguous',
    'Several applications may trust this token. Say which one you mean with application_id.',
  )
