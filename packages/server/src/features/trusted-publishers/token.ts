import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { invalid } from '../../http/validation.ts'
import { isIssuerUrl } from '../../lib/issuer-url.ts'
import { Problem } from '../../lib/problem.ts'
import { algorithms, type Algorithm, type SigningKey } from '../../lib/signing-key.ts'
import type { Claims } from './claims.ts'

export const mostTokenLength = 16 * 1024
const leewaySeconds = 60
const mostKeysTried = 10

/** A token as it says it is: who signed it, nobody has looked at yet. */
export type Token = {
  text: string
  issuer: string
  kid: string | undefined
  algorithm: Algorithm
  claims: Claims
}

/** Reads a token and holds it against the clock; what is wrong here is wrong whoever is trusted. */
export function readToken(text: string, now: Date): Token {
  const { header, claims } = decoded(text)
  const algorithm = algorithms.find((one) => one === header['alg'])
  if (algorithm === undefined)
    throw refused(
      'oidc.algorithm',
      `The token is signed with another algorithm than ${algorithms.join(', ')}.`,
    )
  const { iss: issuer } = claims
  const { kid } = header
  if (typeof issuer !== 'string' || !isIssuerUrl(issuer))
    throw invalid({ token: ['has no claim iss that is an https URL.'] })
  if (kid !== undefined && typeof kid !== 'string') throw invalid({ token: ['has a kid that is no text.'] })
  requireTimely(claims, now.getTime() / 1000)
  return { text, issuer, kid, algorithm, claims }
}

function decoded(text: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  try {
    return { header: decodeProtectedHeader(text), claims: decodeJwt(text) }
  } catch {
    throw invalid({
      token: ['is no signed JSON Web Token: three parts of base64url with dots between them.'],
    })
  }
}

function requireTimely(claims: Claims, nowSeconds: number): void {
  const time = (name: string, isRequired: boolean) => {
    const value = claims[name]
    if (value === undefined && !isRequired) return undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw invalid({ token: [`must have a claim ${name} that is a number of seconds.`] })
  }
  const expiry = time('exp', true)
  const start = Math.max(time('iat', true) ?? 0, time('nbf', false) ?? 0)
  if (expiry !== undefined && expiry + leewaySeconds <= nowSeconds)
    throw refused(
      'oidc.token_expired',
      'The token has expired. Ask the CI system for a new one just before you send it.',
    )
  if (start - leewaySeconds > nowSeconds)
    throw refused(
      'oidc.token_not_yet_valid',
      'The token is not valid yet: compare the clocks of both machines.',
    )
}

/** True where one of the keys has signed the token. */
export async function isSignedByOne(token: Token, keys: readonly SigningKey[], now: Date): Promise<boolean> {
  for (const { jwk, algorithm } of keys.slice(0, mostKeysTried)) {
    try {
      await jwtVerify(token.text, await importJWK(jwk, algorithm), {
        algorithms: [algorithm],
        issuer: token.issuer,
        currentDate: now,
        clockTolerance: leewaySeconds,
        requiredClaims: ['exp', 'iat'],
      })
      return true
    } catch {
      // another key, a broken one, or a header that must not be ignored: not signed by this one
    }
  }
  return false
}

/** Names a token for counting. The signature is left out: of one ES256 signature anybody can make a second. */
export const tokenSha256 = ({ text }: Token): Buffer =>
  createHash('sha256')
    .update(text.slice(0, text.lastIndexOf('.')))
    .digest()

const refused = (code: string, message: string) =>
  new Problem('unauthorized', code, message, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
