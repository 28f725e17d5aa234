import { hash } from 'node:crypto'
import type { Endpoint } from './endpoint.ts'

/** Returns whether responses from the endpoint include an ETag; responses with newly signed links always differ. */
export const isConditional = ({ method, budget, status }: Endpoint): boolean =>
  method === 'GET' && budget !== 'downloads' && status !== 302

/** Returns a strong entity tag for the content (RFC 9110 section 8.8.3). */
export const entityTag = (content: string | Buffer): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 27)}"`

/** Evaluates If-None-Match (RFC 9110 section 13.1.2): a list of tags, compared weakly, or `*`. */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false
}
