import type { Explanation } from '../../../http/pages/error-page.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import type { Problem } from '../../../lib/problem.ts'
import { portalPrefix } from '../portal.ts'
import { isAtService } from './portal-hosts.ts'

/** Returns how the pages of a portal explain an error, with a way back to its front page. */
export function explainPortal(
  { code }: Problem,
  { portal }: VisitorText,
  visitedPath: string,
): Explanation | undefined {
  if (code !== 'resource.not_found') return undefined
  const home = homeOf(visitedPath)
  const isHome = home === undefined || visitedPath.split('?')[0] === home
  return {
    ...portal.notFound,
    symbol: 'search',
    ...(isHome ? {} : { action: { label: portal.toFrontPage, path: home } }),
  }
}

/** Returns the path of the front page of the portal that a visitor opened; undefined for a path of the API. */
function homeOf(visitedPath: string): string | undefined {
  if (!isAtService(visitedPath)) return '/'
  return visitedPath.startsWith(portalPrefix) ? /^\/p\/[^/?]+/.exec(visitedPath)?.[0] : undefined
}
