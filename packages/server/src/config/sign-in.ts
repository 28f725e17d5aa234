import { isIssuerUrl } from '../net/issuer-url.ts'
import type { SettingReader } from './setting-reader.ts'

export type AdminSettings = { email: string; password: string }

/** The identity provider for single sign-on, as a confidential OpenID Connect client. */
export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name of the provider on the sign-in page. */
  name: string
  /** The domains of email addresses whose owners join as members when they first sign in. */
  allowedDomains: readonly string[]
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** Scopes that are requested in addition to `openid`, `email` and `profile`. */
  additionalScopes: readonly string[]
}

/** The number of characters in the password of a person. */
export const passwordLength = { min: 10, max: 200 } as const

type Reader = Pick<SettingReader, 'setting' | 'list' | 'problems'>

const isEmail = (text: string): boolean => /^[^\s<>@]+@[^\s<>@]+$/.test(text)
// RFC 6749, section 3.3.
const isScope = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)
const isDomain = (text: string): boolean => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)

/** Returns the settings of the first owner. The password is never quoted in a problem. */
export function readAdmin({ setting, problems }: Omit<Reader, 'list'>): AdminSettings | undefined {
  const [email, password] = [setting('QUAYSIDE_ADMIN_EMAIL'), setting('QUAYSIDE_ADMIN_PASSWORD')]
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined) {
    problems.push('QUAYSIDE_ADMIN_EMAIL and QUAYSIDE_ADMIN_PASSWORD must be set together.')
    return undefined
  }
  const { min, max } = passwordLength
  if (!isEmail(email)) problems.push(`QUAYSIDE_ADMIN_EMAIL must be an email address, not "${email}".`)
  if (password.length < min || password.length > max)
    problems.push(`QUAYSIDE_ADMIN_PASSWORD must be ${min} to ${max} characters long.`)
  return { email: email.toLowerCase(), password }
}

/** Returns the settings of single sign-on, or undefined if it is not configured. */
export function readOidc({ setting, list, problems }: Reader): OidcSettings | undefined {
  const names = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => `QUAYSIDE_OIDC_${name}`)
  const [issuer, clientId, clientSecret] = names.map(setting)
  const name = setting('QUAYSIDE_OIDC_NAME') ?? 'single sign-on'
  const allowedDomains = list('QUAYSIDE_OIDC_ALLOWED_DOMAINS', isDomain, 'domains such as example.com')
  const groupsClaim = setting('QUAYSIDE_OIDC_GROUPS_CLAIM') ?? 'groups'
  const additionalScopes = list('QUAYSIDE_OIDC_ADDITIONAL_SCOPES', isScope, 'scopes such as groups')
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    problems.push(`${names.join(', ')} must be set together.`)
    return undefined
  }
  if (!isIssuerUrl(issuer))
    problems.push(
      `QUAYSIDE_OIDC_ISSUER must be an https URL without a query, such as https://id.example.com, not "${issuer}".`,
    )
  const domains = allowedDomains.map((domain) => domain.toLowerCase())
  return { issuer, clientId, clientSecret, name, allowedDomains: domains, groupsClaim, additionalScopes }
}
