import type { IncomingHttpHeaders } from 'node:http'
import { readCookie, type SessionCookie } from '../http/wire/session-cookie.ts'

// Browsers keep no cookie for longer than 400 days.
const maxAgeSeconds = 400 * 24 * 60 * 60

/**
 * Creates the functions for the cookie that identifies a device on which someone has signed in. Its only effect is that
 * wrong passwords from that device are counted separately.
 */
export function createDeviceCookie({ namePrefix, isSecure }: Pick<SessionCookie, 'namePrefix' | 'isSecure'>) {
  const name = `${namePrefix}.device`
  return {
    read({ cookie = '' }: IncomingHttpHeaders): string | undefined {
      return readCookie(cookie, name).find((value) => /^[\w-]{24}$/.test(value))
    },
    write: (id: string): string =>
      `${name}=${id}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly${isSecure ? '; Secure' : ''}; SameSite=Lax`,
  }
}
