import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createSecretBox } from '../../crypto/secret-box.ts'

export const sessionSeconds = 30 * 24 * 60 * 60

type Options = {
  publicUrl: string
  /** The master secret. */
  secret: string
  /** The master secret before the last change. Cookies that were signed with it remain valid. */
  previousSecret: string | undefined
}

export type SessionCookie = ReturnType<typeof createSessionCookie>

/** Creates the functions that write and read session cookies: a token and its signature, as better-auth writes them. */
export function createSessionCookie({ publicUrl, secret, previousSecret }: Options) {
  const isSecure = publicUrl.startsWith('https:')
  // Browsers accept a cookie with this prefix only from this host, over HTTPS and for every path.
  const namePrefix = isSecure ? '__Host-quayside' : 'quayside'
  const name = `${namePrefix}.session_token`
  const key = signInSecret(secret)
  const keys = previousSecret === undefined ? [key] : [key, signInSecret(previousSecret)]
  const sign = (token: string, signedWith: string) =>
    createHmac('sha256', signedWith).update(token).digest('base64')
  const valueOf = (token: string) => encodeURIComponent(`${token}.${sign(token, key)}`)

  function verify(value: string): string | undefined {
    const [, token, signature = ''] = /^([\w-]{1,200})\.([\w+/=]{1,100})$/.exec(decode(value)) ?? []
    if (token === undefined) return undefined
    return keys.some((each) => isEqual(signature, sign(token, each))) ? token : undefined
  }

  /** Returns the session token in the cookie, or undefined if there is none with a valid signature. */
  function readSessionToken({ cookie = '' }: IncomingHttpHeaders): string | undefined {
    return readCookie(cookie, name)
      .map(verify)
      .find((token) => token !== undefined)
  }

  return {
    name,
    namePrefix,
    isSecure,
    /** The secret with which better-auth signs cookies. */
    key,
    /** The secrets whose cookies are accepted, the current one first. */
    keys,
    readSessionToken,
    /** Returns the token of the session that a `Set-Cookie` header starts, or undefined if it starts none. */
    readSetCookie: (header: string): string | undefined =>
      readSessionToken({ cookie: header.split(';')[0] ?? '' }),
    /** Returns the value of a `Set-Cookie` header for a new session. */
    setCookie(token: string): string {
      const secure = isSecure ? '; Secure' : ''
      return `${name}=${valueOf(token)}; Max-Age=${sessionSeconds}; Path=/; HttpOnly${secure}; SameSite=Lax`
    },
    /** Returns the `Cookie` header with the session cookie signed with the current secret, or without an invalid one. */
    resign(cookie: string): string {
      const token = readSessionToken({ cookie })
      const others = pairsOf(cookie).filter((pair) => !pair.startsWith(`${name}=`))
      return [...(token === undefined ? [] : [`${name}=${valueOf(token)}`]), ...others].join('; ')
    },
  }
}

/** Returns the values of all cookies with this name. */
export const readCookie = (cookie: string, name: string): string[] =>
  pairsOf(cookie)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

const pairsOf = (cookie: string): string[] => cookie.split(';').flatMap((pair) => pair.trim() || [])

/** Returns the secret for signing in that is derived from a master secret. */
export const signInSecret = (secret: string): string => createSecretBox(secret).token('sign-in', 'v1')

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
