import type { JWK } from 'jose'

// Excludes `none` and HS*, with which anyone who knows the public key could forge a token.
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]

export type SigningKey = { kid: string | undefined; algorithm: Algorithm; jwk: JWK }

/**
 * Parses an entry of a key set. Returns an empty list unless it is a public key for a supported signature algorithm.
 */
export function parseSigningKey(value: unknown): SigningKey[] {
  const { kty, crv, n, e, x, y, kid, alg, use } = (value ?? {}) as Record<string, unknown>
  if (use !== undefined && use !== 'sig') return []
  const keyFor = (algorithm: Algorithm, jwk: Record<string, unknown>): SigningKey[] => {
    if (alg !== undefined && alg !== algorithm) return []
    if (!Object.values(jwk).every((part) => typeof part === 'string' && part.length <= 2000)) return []
    return [{ kid: typeof kid === 'string' ? kid : undefined, algorithm, jwk }]
  }
  if (kty === 'RSA') return keyFor('RS256', { kty, n, e })
  if (kty === 'EC' && crv === 'P-256') return keyFor('ES256', { kty, crv, x, y })
  if (kty === 'OKP' && crv === 'Ed25519') return keyFor('EdDSA', { kty, crv, x })
  return []
}
