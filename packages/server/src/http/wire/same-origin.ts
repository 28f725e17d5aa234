import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '../../lib/problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

type Request = { method: string; headers: IncomingHttpHeaders }

/**
 * Throws `session.cross_origin` if another site could have caused a request that a session cookie authenticates. The
 * origin must be that of the public URL or have the host to which the request was sent.
 */
export function requireSameOrigin({ method, headers }: Request, publicUrl: string): void {
  if (safeMethods.has(method)) return
  const { origin, host } = headers
  if (origin !== undefined && URL.canParse(origin)) {
    const sent = new URL(origin)
    const target = `${sent.protocol}//${host ?? ''}`
    // A cookie belongs to a host, so a site whose name resolves to this server cannot send the cookie with its own host.
    if (sent.origin === origin && (origin === new URL(publicUrl).origin || hostOf(target) === sent.host))
      return
  }
  throw crossOrigin()
}

export const crossOrigin = problem(
  'forbidden',
  'session.cross_origin',
  'A request with a session cookie must come from the console. Send the `Origin` header of this server, or use an API key.',
)

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)
