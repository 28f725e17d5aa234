import type { OAuth2Tokens, OAuthProvider } from 'better-auth/oauth2'
import type { OidcSettings } from '../config-sign-in.ts'
import type { Clock } from '../lib/clock.ts'
import { discoverEndpoints, type IssuerEndpoints } from '../lib/issuer-discovery.ts'
import type { IssuerKeys } from '../lib/issuer-keys.ts'
import type { JsonReader, Poster } from '../lib/outgoing.ts'
import { algorithms, type Algorithm } from '../lib/signing-key.ts'

type Options = {
  settings: OidcSettings
  reader: JsonReader
  poster: Poster
  issuerKeys: IssuerKeys
  clock: Pick<Clock, 'monotonicMs'>
}

type Claims = Record<string, unknown> & { sub?: unknown }

export const ssoProviderId = 'sso'

const freshMs = 10 * 60 * 1000
const timeoutMs = 10_000
const maxBytes = 256 * 1024

/**
 * Creates the identity provider for better-auth. Every request to the provider goes through the guarded connector, and
 * its endpoints are discovered when someone signs in, so that an unreachable provider does not affect other methods.
 */
export function createSsoProvider({ settings, reader, poster, issuerKeys, clock }: Options) {
  const { issuer, clientId, clientSecret, name } = settings
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
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status !== 200) throw new Error(`the token endpoint of ${issuer} returned status ${status}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  /** Returns the claims of the user. Many providers include the email address only in the userinfo response. */
  async function completeClaims(claims: Claims, accessToken: string | undefined): Promise<Claims | null> {
    const { userinfo } = await requireEndpoints()
    if (typeof claims['email'] === 'string' || userinfo === undefined || accessToken === undefined)
      return claims
    const { status, json } = await reader.get(userinfo, {
      maxBytes,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const found = (json ?? {}) as Claims
    // OpenID Connect Core 1.0, section 5.3.2: the subjects must match, because tokens can be substituted.
    return status === 200 && found.sub === claims.sub ? { ...claims, ...found } : null
  }

  const provider: OAuthProvider<Claims> = {
    id: ssoProviderId,
    name,
    requiresIdTokenNonce: true,
    issuer,
    // Subjects are unique only within their issuer, and the setting may change.
    accountSubject: ({ profile }) => `${issuer} ${text(profile.sub) ?? ''}`,
    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce, loginHint }) {
      const { createAuthorizationURL } = await import('better-auth/oauth2')
      const { authorization } = await requireEndpoints()
      return createAuthorizationURL({
        id: ssoProviderId,
        options: { clientId, clientSecret },
        authorizationEndpoint: authorization,
        scopes: ['openid', 'email', 'profile'],
        state,
        codeVerifier,
        redirectURI,
        ...(idTokenNonce === undefined ? {} : { nonce: idTokenNonce }),
        ...(loginHint === undefined ? {} : { loginHint }),
      })
    },
    async validateAuthorizationCode({ code, codeVerifier = '', redirectURI }) {
      const response = await exchangeCode({
        grant_type: 'authorization_code',
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectURI,
      })
      const tokens: OAuth2Tokens = {
        accessToken: text(response['access_token']),
        idToken: text(response['id_token']),
      }
      return tokens
    },
    async getUserInfo({ idToken, accessToken, expectedIdTokenNonce }) {
      if (idToken === undefined || expectedIdTokenNonce === undefined) return null
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
          clockTolerance: 60,
        },
      )
      if (payload['nonce'] !== expectedIdTokenNonce) return null
      const claims = await completeClaims(payload, accessToken)
      if (claims === null) return null
      return {
        user: {
          email: text(claims['email'])?.toLowerCase() ?? null,
          emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
          name: (text(claims['name']) ?? '').slice(0, 100),
        },
        data: claims,
      }
    },
  }
  return provider
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
