/** The claims of a token. They cannot be trusted until the signature of the token is verified. */
export type Claims = Readonly<Record<string, unknown>>

/** Required claims by name: a pattern that may contain `*`, or a list of patterns, at least one of which must match. */
export type ClaimRules = Readonly<Record<string, string | readonly string[]>>

/**
 * Returns whether the pattern matches the entire text. `*` matches any sequence of characters, including `/` and the
 * empty sequence; all other characters match only themselves.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return text === pattern
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  const end = text.length - tail.length
  let position = head.length
  for (const part of rest) {
    const start = text.indexOf(part, position)
    if (start === -1 || start + part.length > end) return false
    position = start + part.length
  }
  return true
}

/** Returns the names of the required claims that are missing from the token or do not match. */
export function mismatchedClaims(rules: ClaimRules, claims: Claims): string[] {
  return Object.entries(rules)
    .filter(([name, rule]) => {
      const patterns = typeof rule === 'string' ? [rule] : rule
      return !claimTexts(claims, name).some((text) =>
        patterns.some((pattern) => matchesPattern(pattern, text)),
      )
    })
    .map(([name]) => name)
}

/** Returns the values of a claim as strings, one for each list element. Numbers and booleans are formatted as JSON. */
export function claimTexts(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((item) => {
    if (typeof item === 'string') return [item]
    if (typeof item === 'boolean') return [String(item)]
    // Above 2^53, two different IDs could be parsed as the same number.
    return Number.isSafeInteger(item) ? [String(item)] : []
  })
}

const maxTextLength = 200

// Standard claims, and those of GitHub, GitLab, Buildkite and CircleCI that identify a pipeline run.
const auditedClaims = (
  'iss sub aud jti repository repository_id ref sha workflow_ref job_workflow_ref run_id run_attempt actor event_name ' +
  'environment project_path project_id pipeline_id pipeline_source job_id user_login organization_slug pipeline_slug ' +
  'build_number build_branch build_commit'
).split(' ')

/** Returns the claims that identify the CI run of a token, as the audit log stores them. */
export function ciRunClaims(claims: Claims): Record<string, string> {
  const present = auditedClaims.filter((name) => Object.hasOwn(claims, name))
  return Object.fromEntries(present.map((name) => [name, sanitizeText(claimTexts(claims, name).join(', '))]))
}

/** Formats a claim for an error message shown to the author of a CI workflow. */
export function formatClaim(claims: Claims, name: string): string {
  if (!Object.hasOwn(claims, name)) return 'missing'
  const texts = claimTexts(claims, name)
  return texts.length === 0
    ? 'not a string, number or boolean'
    : texts
        .map((text) => `"${sanitizeText(text)}"`)
        .join(', ')
        .slice(0, 500)
}

/** Truncates untrusted text and replaces control characters and unpaired surrogates. */
export const sanitizeText = (text: string): string =>
  text
    .slice(0, maxTextLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
