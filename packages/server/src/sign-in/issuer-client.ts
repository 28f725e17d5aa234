import type { OidcSettings } from '../config/sign-in.ts'
import { algorithms, type Algorithm } from '../crypto/signing-key.ts'
import type { Clock } from '../lib/clock.ts'
import { discoverEndpoints, type IssuerEndpoints } from '../net/issuer-discovery.ts'
import type { IssuerKeys } from '../net/issuer-keys.ts'
import type { JsonReader, Poster } from '../net/outgoing.ts'
import { startTimeLimit } from '../net/time-limit.ts'

export type IssuerClientOptions = {
  settings: OidcSettings
  reader: JsonReader
  poster: Poster
  issuerKeys: IssuerKeys
  clock: Pick<Clock, 'now' | 'monotonicMs'>
}

export type Claims = Record<string, unknown> & { sub: string }

const freshMs = 10 * 60 * 1000
const timeoutMs = 10_000
const maxBytes = 256 * 1024
const clockToleranceSeconds = 60

/**
 * Creates the functions that call the identity provider and check what it returns. Every request goes through the guarded
 * connector, and the endpoints are discovered when someone signs in, so that an unreachable provider does not affect other
 * sign-in methods.
 */
export function createIssuerClient(options: IssuerClientOptions) {
  const { settings, reader, poster, clock } = options
  const { issuer, clientId, clientSecret } = settings
  let cached: { endpoints: IssuerEndpoints; untilMs: number } | undefined

  async function requireEndpoints(): Promise<IssuerEndpoints> {
    if (cached !== undefined && cached.untilMs > clock.monotonicMs()) return cached.endpoints
    const result = await discoverEndpoints(reader, issuer)
    if ('problem' in result) throw result.problem
    cached = { endpoints: result.endpoints, untilMs: clock.monotonicMs() + freshMs }
    return result.endpoints
  }

  async function exchangeCode(form: Record<string, string>): Promise<Record<string, unknown>> {
    const { token, isSecretInBody } = await requireEndpoints()
    using limit = startTimeLimit(timeoutMs)
    const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const { status, text } = await poster.post(token, {
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(isSecretInBody ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      },
      body: new URLSearchParams({
        ...form,
        ...(isSecretInBody ? { client_id: clientId, client_secret: clientSecret } : {}),
      }).toString(),
      maxBytes,
      signal: limit.signal,
    })
    if (status !== 200) throw new Error(`the token endpoint of ${issuer} returned status ${status}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  /**
   * Returns the claims of the user. Many providers include the email address, and some the groups, only in the userinfo
   * response.
   */
  async function completeClaims(
    claims: Claims,
    accessToken: string | undefined,
    needsGroups: boolean,
  ): Promise<Claims> {
    const { userinfo } = await requireEndpoints()
    const hasEmail = typeof claims['email'] === 'string'
    const isComplete = hasEmail && !(needsGroups && claims[settings.groupsClaim] === undefined)
    if (isComplete || userinfo === undefined || accessToken === undefined) return claims
    using limit = startTimeLimit(timeoutMs)
    const { status, json } = await reader.get(userinfo, {
      maxBytes,
      signal: limit.signal,
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const found = (json ?? {}) as Record<string, unknown>
    // OpenID Connect Core 1.0, section 5.3.2: the subjects must match, because tokens can be substituted.
    if (status !== 200 || found['sub'] !== claims.sub)
      throw new Error(`${userinfo} returned status ${status} or another subject`)
    // The signature covers only the claims of the ID token.
    return hasEmail ? { ...found, ...claims } : { ...claims, ...found, sub: claims.sub }
  }

  return {
    requireEndpoints,
    exchangeCode,
    completeClaims,
    verifyIdToken: (idToken: string, expectedNonce: string) => verifyIdToken(options, idToken, expectedNonce),
  }
}

/** Returns the claims of an ID token; throws if it is invalid (OpenID Connect Core 1.0, section 3.1.3.7). */
async function verifyIdToken(
  { settings, issuerKeys, clock }: IssuerClientOptions,
  idToken: string,
  expectedNonce: string,
): Promise<Claims> {
  const { issuer, clientId } = settings
  const { jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(
    idToken,
    async ({ kid, alg }) => {
      const [key] = await issuerKeys.list(issuer, { kid, algorithm: alg as Algorithm })
      if (key === undefined) throw new Error(`${issuer} has no key ${kid ?? ''} for ${alg}`)
      return key.jwk
    },
    {
      issuer,
      audience: clientId,
      algorithms: [...algorithms],
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: clockToleranceSeconds,
    },
  )
  const { sub, iat = Infinity, azp, aud, nonce } = payload as Record<string, unknown> & typeof payload
  if (nonce !== expectedNonce) throw new Error('the nonce belongs to another sign-in')
  if (!isSubject(sub)) throw new Error('`sub` is not a string of 1 to 255 printable characters')
  if (iat > clock.now().getTime() / 1000 + clockToleranceSeconds) throw new Error('`iat` is in the future')
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId)
    throw new Error('the token was issued to another client')
  return { ...payload, sub }
}

/**
 * Returns whether the value identifies a user of an issuer. A value that is converted, that is empty, or that cannot be
 * stored as UTF-8 without loss would be shared by several people.
 */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 255 &&
  value.trim() !== '' &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)
