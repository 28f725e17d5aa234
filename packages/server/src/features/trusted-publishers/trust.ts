import type { Executor } from '../../database/transaction.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { claimTexts, formatClaim, mismatchedClaims, type ClaimRules, type Claims } from './claims.ts'
import { namesSameSource } from './hosted-issuers.ts'
import type { Token } from './token.ts'
import { listRulesOfAudiences, type TrustedPublisherRow } from './trusted-publisher.db.ts'

/** Returns the names of the token's claims that do not match the rule. */
function mismatches({ audience, claims: rules }: TrustedPublisherRow, claims: Claims): string[] {
  const names = mismatchedClaims(rules as ClaimRules, claims)
  return claimTexts(claims, 'aud').includes(audience) ? names : ['aud', ...names]
}

/** Returns the application's rules that match the token; throws if there are none. */
export function requireMatchingRules(
  rules: readonly TrustedPublisherRow[],
  claims: Claims,
  applicationId: string,
): { workspaceId: string; matching: TrustedPublisherRow[] } {
  const matching = rules.filter((rule) => mismatches(rule, claims).length === 0)
  const [first] = matching
  if (first === undefined) throw closestRuleProblem(rules, claims) ?? notTrusted(claims, applicationId)
  return { workspaceId: first.workspace_id, matching }
}

const rulesPerBatch = 100
const maxBatches = 10

/**
 * Returns the ID of the only application with a rule that matches the token; throws if there is none or more than one.
 * Reads the rules in batches of at most 1 MB and stops after 1,000 rules.
 */
export async function requireTrustingApplication(db: Executor, { issuer, claims }: Token): Promise<string> {
  // PostgreSQL text cannot contain NUL or lone surrogates, so no rule can have such an audience.
  const audiences = claimTexts(claims, 'aud').filter((text) => text.isWellFormed() && !text.includes('\0'))
  const source = { issuer, audiences }
  const ids = new Set<string>()
  let last: TrustedPublisherRow | undefined
  for (let batch = 0; ; batch++) {
    const rules = await listRulesOfAudiences(db, source, last, rulesPerBatch)
    for (const rule of rules) if (mismatches(rule, claims).length === 0) ids.add(rule.application_id)
    if (ids.size > 1) throw ambiguous()
    if (rules.length < rulesPerBatch) break
    if (batch + 1 === maxBatches) throw ambiguous()
    last = rules.at(-1)
  }
  const [id] = ids
  if (id === undefined) throw notTrusted(claims, undefined)
  return id
}

/** Returns a Problem that lists how the token differs from the application's closest rule for the same source. */
function closestRuleProblem(rules: readonly TrustedPublisherRow[], claims: Claims): Problem | undefined {
  const [closest] = rules
    .filter((rule) => namesSameSource(rule.claims as ClaimRules, claims))
    .map((rule) => ({ rule, names: mismatches(rule, claims) }))
    .toSorted((a, b) => a.names.length - b.names.length)
  if (closest === undefined) return undefined
  const differences = closest.names.map((name) => `\`${name}\` is ${formatClaim(claims, name)}`).join(', ')
  return claimsDiffer({ name: closest.rule.name, differences })
}

const claimsDiffer = problem(
  'forbidden',
  'oidc.claims',
  'The trusted publisher "{name}" does not match this token: {differences}. Change the workflow or the trusted publisher.',
)

/**
 * Returns the same error for an untrusted issuer, an invalid signature, an unknown application and rules that do not
 * match, so that a stranger cannot find out which sources an application trusts.
 */
export function notTrusted(claims: Claims, applicationId: string | undefined): Problem {
  const summary = ['iss', 'aud', 'sub']
    .map((name) => `\`${name}\` is ${formatClaim(claims, name)}`)
    .join(', ')
  return applicationId === undefined ? trustedByNone({ summary }) : notTrustedByApplication({ summary })
}

const trustedByNone = problem(
  'forbidden',
  'oidc.not_trusted',
  'No application trusts this token: {summary}. Send `application_id` for a more detailed error.',
  { hasSeveralStatuses: true },
)

const notTrustedByApplication = problem(
  'not_found',
  'oidc.not_trusted',
  'No application with this ID trusts this token: {summary}. Compare these claims with its trusted publishers.',
  { hasSeveralStatuses: true },
)

const ambiguous = problem(
  'conflict',
  'oidc.ambiguous',
  'Several applications trust this token. Send `application_id`.',
)

export const trustProblems = [trustedByNone, notTrustedByApplication, claimsDiffer, ambiguous]
