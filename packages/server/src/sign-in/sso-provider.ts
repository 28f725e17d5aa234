import type { OAuth2Tokens, OAuthProvider } from 'better-auth/oauth2'
import { emailPattern, nameError, normalizeName } from '../http/endpoint/fields.ts'
import { Problem } from '../lib/problem.ts'
import { groupsIn, type ReportedGroups } from './identity-groups.ts'
import { createIssuerClient, type Claims, type IssuerClientOptions } from './issuer-client.ts'

type Options = IssuerClientOptions & {
  log: { warn(details: object, message: string): void }
  /** Returns whether a team has members by groups of the identity provider. */
  needsGroups(): Promise<boolean>
  /** Receives the groups of the person who is signing in. */
  onGroups(groups: ReportedGroups): void
}

export const ssoProviderId = 'sso'

/** Creates the identity provider for better-auth. */
export function createSsoProvider({
  log,
  needsGroups,
  onGroups,
  ...options
}: Options): OAuthProvider<Claims> {
  const { issuer, clientId, clientSecret, name, groupsClaim, additionalScopes } = options.settings
  const { requireEndpoints, exchangeCode, completeClaims, verifyIdToken } = createIssuerClient(options)
  return {
    id: ssoProviderId,
    name,
    requiresIdTokenNonce: true,
    issuer,
    // Subjects are unique only within their issuer, and the setting may change.
    accountSubject: ({ profile }) => `${issuer} ${profile.sub}`,
    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce, loginHint }) {
      const { createAuthorizationURL } = await import('better-auth/oauth2')
      const { authorization } = await requireEndpoints()
      return createAuthorizationURL({
        id: ssoProviderId,
        options: { clientId, clientSecret },
        authorizationEndpoint: authorization,
        scopes: ['openid', 'email', 'profile', ...additionalScopes],
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
      try {
        const needed = await needsGroups()
        const claims = await completeClaims(
          await verifyIdToken(idToken, expectedIdTokenNonce),
          accessToken,
          needed,
        )
        if (needed) onGroups(groupsIn(claims, groupsClaim, log))
        return {
          user: {
            email: emailIn(claims) ?? null,
            emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
            name: nameIn(claims),
          },
          data: claims,
        }
      } catch (error) {
        // The issuer is unavailable or unusable.
        if (error instanceof Problem) throw error
        log.warn({ err: error }, 'the identity provider sent an invalid ID token or profile')
        return null
      }
    },
  }
}

const isEmail = new RegExp(emailPattern)

/** Returns the email address of the user, unless the claim is not exactly one address. */
function emailIn(claims: Claims): string | undefined {
  const email = text(claims['email'])?.toLowerCase()
  return email !== undefined && email.length <= 254 && isEmail.test(email) && !/\p{Cc}/u.test(email)
    ? email
    : undefined
}

function nameIn(claims: Claims): string {
  const name = normalizeName((text(claims['name']) ?? '').replaceAll('\0', '').slice(0, 100))
  return nameError(name) === undefined ? name : ''
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
