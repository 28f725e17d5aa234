import { ssoProviderId } from './sso-provider.ts'

/**
 * An endpoint of better-auth that clients may call. `checksPassword` names the account whose guesses are counted: that of
 * the email address in the body, or that of the session.
 */
export type AuthEndpoint = {
  method: 'GET' | 'POST'
  path: string
  checksPassword?: 'of the email address' | 'of the session'
  /** Whether the browser itself opens the URL. Errors lead to the sign-in page; those of all other endpoints are JSON. */
  isNavigation?: true
  /**
   * Whether success ends the user's links and trusted devices. Migration 0026 does so for all other changes of
   * credentials; the database cannot tell new recovery codes from one that was used.
   */
  endsVerifications?: true
  /** Fields that replace those in the body. */
  fixed?: Record<string, unknown>
}

/** All endpoints of better-auth that clients may call. The others, such as sign-up, do not exist for them. */
export const authEndpoints: readonly AuthEndpoint[] = [
  { method: 'POST', path: '/sign-in/email', checksPassword: 'of the email address' },
  { method: 'POST', path: '/sign-in/magic-link' },
  { method: 'POST', path: '/sign-in/social', fixed: { provider: ssoProviderId } },
  { method: 'GET', path: '/callback/sso', isNavigation: true },
  { method: 'POST', path: '/sign-out' },
  { method: 'GET', path: '/get-session' },
  { method: 'POST', path: '/request-password-reset' },
  { method: 'POST', path: '/reset-password' },
  {
    method: 'POST',
    path: '/change-password',
    checksPassword: 'of the session',
    fixed: { revokeOtherSessions: true },
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    checksPassword: 'of the session',
    fixed: { method: 'totp' },
  },
  { method: 'POST', path: '/two-factor/disable', checksPassword: 'of the session' },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    checksPassword: 'of the session',
    endsVerifications: true,
  },
  { method: 'POST', path: '/two-factor/verify-totp' },
  { method: 'POST', path: '/two-factor/verify-backup-code' },
  { method: 'GET', path: '/passkey/generate-register-options' },
  { method: 'POST', path: '/passkey/verify-registration' },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication' },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey' },
  { method: 'POST', path: '/passkey/delete-passkey' },
]

/** Returns the body without session tokens, so that scripts on a page cannot read what the cookie protects. */
export function withoutTokens(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== 'token')
      .map(([name, value]) => [name, name === 'session' ? withoutTokens(value) : (value as unknown)]),
  )
}
