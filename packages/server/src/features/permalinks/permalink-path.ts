import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../deps.ts'

const prefix = '/d/'
const permalink =
  /^\/d\/([^/?]+)\/(?:releases\/([^/?]+)|([^/?]+)\/latest)\/([^/?]+)(?:\/(?!badge\.)([^/?]+))?(?:\/badge\.(svg|json))?(?:\?(.*))?$/s

/**
 * Replaces the path of a permalink, `/d/{application}/{stream}/latest/{platform}[/{architecture}]` or
 * `/d/{application}/releases/{version}/{platform}[/{architecture}]`, with the path of its endpoint, also if it ends with
 * `/badge.svg` or `/badge.json`. Clients without a key or session use the public endpoint, and with `?share=` the short
 * path of a share link. Any other path below `/d/` becomes one that does not exist.
 */
export function expandPermalink(
  url: string,
  headers: IncomingHttpHeaders,
  sessionCookie: Deps['sessionCookie'],
): string {
  if (!url.startsWith(prefix)) return url
  const [match, application, version, stream, platform, architecture, badge, query = ''] =
    permalink.exec(url) ?? []
  if (match === undefined) return '/api/v1/public/permalinks'
  const parameters = new URLSearchParams(query)
  const share = parameters.get('share')
  if (share !== null) return sharedPath(share, { version, platform, architecture, badge }, parameters)
  if (architecture !== undefined) parameters.set('architecture', decoded(architecture))
  const hasCredentials =
    headers.authorization !== undefined || sessionCookie.readSessionToken(headers) !== undefined
  const base = hasCredentials
    ? `/api/v1/applications/${application}/permalinks`
    : `/api/v1/public/permalinks/${application}`
  const item = version === undefined ? `streams/${stream}` : `releases/${version}`
  const search = parameters.size === 0 ? '' : `?${parameters.toString()}`
  return `${base}/${item}/${platform}${badge === undefined ? '' : `/badge/${badge}`}${search}`
}

type Parts = Record<'version' | 'platform' | 'architecture' | 'badge', string | undefined>

/** Returns the path of a build of the release of a share link, or of its badge. Share links do not share streams. */
function sharedPath(
  share: string,
  { version = 'none', platform = '', architecture, badge }: Parts,
  parameters: URLSearchParams,
): string {
  const search = new URLSearchParams(badge === undefined ? '' : parameters)
  search.delete('share')
  search.set('version', decoded(version))
  search.set('platform', decoded(platform))
  if (architecture !== undefined) search.set('architecture', decoded(architecture))
  const item = badge === undefined ? 'download' : `badge/${badge}`
  return `/s/${encodeURIComponent(share)}/${item}?${search.toString()}`
}

/** Returns the segment as it is if its encoding is invalid. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
