import { hash } from 'node:crypto'
import type { Endpoint } from './endpoint.ts'

/** Answers with links that are made anew each time are never the same. */
export const isConditional = ({ method, budget, status }: Endpoint): boolean =>
  method === 'GET' && budget !== 'downloads' && status !== 302

/** Names exactly these bytes (RFC 9110 section 8.8.3). */
export const entityTag = (content: string | Buffer): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 27)}"`

/** RFC 9110 section 13.1.2: any of the tags, compared weakly, or `*` for whatever is there. */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false
}
