import { createHash } from 'node:crypto'
import { algorithms, type Algorithm, type SigningKey } from '../../crypto/signing-key.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { isIssuerUrl } from '../../net/issuer-url.ts'
import type { Claims } from './claims.ts'

export const maxTokenLength = 16 * 1024
const leewaySeconds = 60
const maxKeysTried = 10
// The library is loaded on first use, because most services never exchange a token.
const loadJose = () => import('jose')

/** A decoded token whose signature has not been verified. */
export type Token = {
  text: string
  issuer: string
  kid: string | undefined
  algorithm: Algorithm
  claims: Claims
}

/** Decodes a token and checks its format, algorithm, issuer and times, which do not depend on a trusted publisher. */
export async function readToken(text: string, now: Date): Promise<Token> {
  const { header, claims } = await decode(text)
  const algorithm = algorithms.find((name) => name === header['alg'])
  if (algorithm === undefined) throw unknownAlgorithm({ algorithms: algorithms.join(', ') })
  const { iss: issuer } = claims
  const { kid } = header
  if (typeof issuer !== 'string' || !isIssuerUrl(issuer))
    throw invalid({ token: ['must have an `iss` claim that is an https URL.'] })
  if (kid !== undefined && typeof kid !== 'string')
    throw invalid({ token: ['must have a `kid` that is a string.'] })
  requireCurrent(claims, now.getTime() / 1000)
  return { text, issuer, kid, algorithm, claims }
}

type Decoded = { header: Record<string, unknown>; claims: Record<string, unknown> }

async function decode(text: string): Promise<Decoded> {
  const { decodeJwt, decodeProtectedHeader } = await loadJose()
  try {
    return { header: decodeProtectedHeader(text), claims: decodeJwt(text) }
  } catch {
    throw invalid({ token: ['must be a signed JSON Web Token: three base64url parts separated by dots.'] })
  }
}

function requireCurrent(claims: Claims, nowSeconds: number): void {
  const time = (name: string, isRequired: boolean) => {
    const value = claims[name]
    if (value === undefined && !isRequired) return undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw invalid({ token: [`must have a numeric \`${name}\` claim in seconds.`] })
  }
  const expiry = time('exp', true)
  const start = Math.max(time('iat', true) ?? 0, time('nbf', false) ?? 0)
  if (expiry !== undefined && expiry + leewaySeconds <= nowSeconds) throw tokenExpired()
  if (start - leewaySeconds > nowSeconds) throw tokenNotYetValid()
}

/** Returns whether one of the keys signed the token. */
export async function isSignedByAny(token: Token, keys: readonly SigningKey[], now: Date): Promise<boolean> {
  const { importJWK, jwtVerify } = await loadJose()
  for (const { jwk, algorithm } of keys.slice(0, maxKeysTried)) {
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
      // The key is malformed or did not sign the token, or the token has an unsupported critical header.
    }
  }
  return false
}

/**
 * Returns a hash of the token without its signature, because anyone can derive a second valid signature from an
 * existing ES256 signature.
 */
export const tokenSha256 = ({ text }: Token): Buffer =>
  createHash('sha256')
    .update(text.slice(0, text.lastIndexOf('.')))
    .digest()

const challenge = { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }

const unknownAlgorithm = problem(
  'unauthorized',
  'oidc.algorithm',
  'The token must be signed with one of {algorithms}.',
  challenge,
)

const tokenExpired = problem(
  'unauthorized',
  'oidc.token_expired',
  'The token has expired. Request a new one from the CI system just before the exchange.',
  challenge,
)

const tokenNotYetValid = problem(
  'unauthorized',
  'oidc.token_not_yet_valid',
  'The token is not valid yet. Check the clocks of both machines.',
  challenge,
)

export const tokenProblems = [unknownAlgorithm, tokenExpired, tokenNotYetValid]
