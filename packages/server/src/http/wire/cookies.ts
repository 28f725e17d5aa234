export type Cookie = {
  name: string
  /** Characters that a cookie value may contain (RFC 6265, section 4.1.1). */
  value: string
  path: string
  maxAgeSeconds: number
}

/** Returns the cookies of a request. If a name occurs more than once, the first one counts. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const [, name, value] = /^\s*([^=\s]+)=(.*?)\s*$/s.exec(part) ?? []
    if (name !== undefined && value !== undefined && !cookies.has(name)) cookies.set(name, value)
  }
  return cookies
}

/** Returns a `Set-Cookie` header for a cookie that scripts cannot read. */
export const setCookie = (
  { name, value, path, maxAgeSeconds }: Cookie,
  { isSecure }: { isSecure: boolean },
): string =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
