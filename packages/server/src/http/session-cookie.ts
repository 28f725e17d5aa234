import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createSecretBox } from '../lib/secret-box.ts'

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

  return {
    name,
    namePrefix,
    isSecure,
    /** The secret with which better-auth signs cookies. */
    key,
    /** Returns the session token in the cookie, or undefined if there is none with a valid signature. */
    readSessionToken({ cookie = '' }: IncomingHttpHeaders): string | undefined {
      for (const pair of cookie.split(';')) {
        const [, value = ''] = pair.trimStart().startsWith(`${name}=`) ? pair.split(/=(.*)/s) : []
        const [, token = '', signature = ''] = /^([\w-]{1,200})\.([\w+/=]{1,100})$/.exec(decode(value)) ?? []
        if (token !== '' && keys.some((each) => isEqual(signature, sign(token, each)))) return token
      }
      return undefined
    },
    /** Returns the value of a `Set-Cookie` header for a new session. */
    setCookie(token: string): string {
      const value = encodeURIComponent(`${token}.${sign(token, key)}`)
      const secure = isSecure ? '; Secure' : ''
      return `${name}=${value}; Max-Age=${sessionSeconds}; Path=/; HttpOnly${secure}; SameSite=Lax`
    },
  }
}

const signInSecret = (secret: string): string => createSecretBox(secret).token('sign-in', 'v1')

function decode(value: string): string {
  try {
    return decodeURIComponent(value.trim())
  } catch {
    return ''
  }
}

function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
