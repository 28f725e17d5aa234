import type { TrustedPublisher } from '@quayside/sdk'
import { patternsOf } from './publisher-form.ts'

export type ClaimComparison = { name: string; required: string; actual: string; isMatch: boolean }

/** Returns the claims of a JSON Web Token without verifying its signature. Undefined if it is not such a token. */
export function decodeClaims(token: string): Record<string, unknown> | undefined {
  const [, payload, signature, rest] = token.trim().split('.')
  if (payload === undefined || signature === undefined || rest !== undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Compares the issuer, the audience and every required claim of a publisher with the claims of a token. */
export function compareClaims(
  { issuer, audience, claims: rules }: TrustedPublisher,
  claims: Record<string, unknown>,
): ClaimComparison[] {
  return Object.entries({ iss: issuer, aud: audience, ...rules }).map(([name, rule]) => {
    const isExact = name === 'iss' || name === 'aud'
    const texts = textsOf(claims[name])
    const patterns = patternsOf(rule)
    const matches = (text: string) =>
      patterns.some((pattern) => (isExact ? pattern === text : isPatternMatch(pattern, text)))
    return {
      name,
      required: patterns.join(' or '),
      actual: texts.length === 0 ? 'missing' : texts.join(', '),
      isMatch: texts.some(matches),
    }
  })
}

function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((each) =>
    typeof each === 'string'
      ? [each]
      : typeof each === 'number' || typeof each === 'boolean'
        ? [String(each)]
        : [],
  )
}

function isPatternMatch(pattern: string, text: string): boolean {
  const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(`^${source}$`, 's').test(text)
}
