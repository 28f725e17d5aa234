import type { JWK } from 'jose'

// Never `none` and never HS*: with those, whoever knows a public key could sign.
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]

export type SigningKey = { kid: string | undefined; algorithm: Algorithm; jwk: JWK }

/** The entry of a key set as far as it is public and for signatures that we take; else an empty list. */
export function signingKey(value: unknown): SigningKey[] {
  const { kty, crv, n, e, x, y, kid, alg, use } = (value ?? {}) as Record<string, unknown>
  if (use !== undefined && use !== 'sig') return []
  const made = (algorithm: Algorithm, jwk: Record<string, unknown>): SigningKey[] => {
    if (alg !== undefined && alg !== algorithm) return []
    if (!Object.values(jwk).every((part) => typeof part === 'string' && part.length <= 2000)) return []
    return [{ kid: typeof kid === 'string' ? kid : undefined, algorithm, jwk }]
  }
  if (kty === 'RSA') return made('RS256', { kty, n, e })
  if (kty === 'EC' && crv === 'P-256') return made('ES256', { kty, crv, x, y })
  if (kty === 'OKP' && crv === 'Ed25519') return made('EdDSA', { kty, crv, x })
  return []
}
