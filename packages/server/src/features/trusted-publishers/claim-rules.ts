import { invalid } from '../../http/endpoint/validation.ts'
import type { ClaimRules } from './claims.ts'
import { hostedIssuer, isPinned } from './hosted-issuers.ts'

const maxClaims = 20
const maxWildcards = 8
// The size of a rule is limited because all rules of an application are loaded for every token with a valid signature.
const maxClaimsBytes = 8 * 1024

// These claims do not identify the source of a token or are checked separately.
const reservedClaims = new Map([
  ['iss', 'is already checked against `issuer`. Remove it.'],
  ['aud', 'is already checked against `audience`. Remove it.'],
  ...['exp', 'nbf', 'iat', 'jti'].map((name) => [name, 'differs in every token. Remove it.'] as const),
])

/**
 * Throws `invalid` if the claims are malformed, or if the issuer serves anyone with an account and the claims do not
 * restrict whose tokens are accepted.
 */
export function requireSafeClaims(issuer: string, rules: ClaimRules): void {
  const errors: Record<string, string[]> = {}
  const names = Object.keys(rules)
  if (names.length === 0 || names.length > maxClaims)
    throw invalid({ claims: [`must contain 1 to ${maxClaims} claims, such as {"repository_id": "123456"}.`] })
  if (Buffer.byteLength(JSON.stringify(rules)) > maxClaimsBytes)
    throw invalid({
      claims: [
        `must be at most ${maxClaimsBytes} bytes as JSON. Use wildcards, or create several trusted publishers.`,
      ],
    })
  for (const [name, pattern] of Object.entries(rules)) {
    const patterns = typeof pattern === 'string' ? [pattern] : pattern
    const error = reservedClaims.get(name) ?? claimNameError(name) ?? patternError(patterns)
    if (error !== undefined) errors[`claims.${name}`] = [error]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const hosted = hostedIssuer(issuer)
  if (hosted !== undefined && !isPinned(hosted, rules))
    throw invalid({
      claims: [
        `must restrict the source because anyone can get tokens from ${issuer}. Add one of ${hosted.pins.map((pin) => `\`${pin}\``).join(', ')} without ` +
          `wildcards${hosted.subject === undefined ? '' : `, or a \`sub\` such as "${hosted.subject.example}"`}.`,
      ],
    })
}

function claimNameError(name: string): string | undefined {
  return /^[\x21-\x7e]{1,100}$/.test(name)
    ? undefined
    : 'is not a valid claim name. Use 1 to 100 visible ASCII characters.'
}

function patternError(patterns: readonly string[]): string | undefined {
  if (patterns.length === 0) return 'must contain at least one value.'
  if (patterns.some((pattern) => pattern === '')) return 'must not be empty.'
  if (patterns.some((pattern) => /^\*+$/.test(pattern))) return 'must not consist only of wildcards.'
  if (patterns.some((pattern) => pattern.split('*').length - 1 > maxWildcards))
    return `must contain at most ${maxWildcards} wildcards.`
  return undefined
}
