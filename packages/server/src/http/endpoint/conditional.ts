import { hash } from 'node:crypto'
import type { Endpoint } from './endpoint.ts'

/**
 * Returns whether the responses of the endpoint have an ETag. Responses with signed links do not, because the links
 * differ each time, and neither do event streams and exports.
 */
export const isConditional = ({ method, budget, status, streams, exports }: Endpoint): boolean =>
  method === 'GET' &&
  budget !== 'downloads' &&
  status !== 302 &&
  streams === undefined &&
  exports === undefined

/** Returns a strong entity tag for the content (RFC 9110, section 8.8.3). */
export const entityTag = (content: string | Buffer): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 27)}"`

/**
 * Returns whether If-None-Match, which is a list of tags or `*`, matches the tag by weak comparison (RFC 9110, section
 * 13.1.2).
 */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === tag) return true
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false
}
