import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../deps.ts'

const prefix = '/d/'
const permalink =
  /^\/d\/([^/?]+)\/(?:releases\/([^/?]+)|([^/?]+)\/latest)\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*))?$/s

/**
 * Replaces the path of a permalink, `/d/{application}/{stream}/latest/{platform}[/{architecture}]` or
 * `/d/{application}/releases/{version}/{platform}[/{architecture}]`, with the path of its endpoint. Clients without a key
 * or session use the public endpoint, and with `?share=` the short path of a share link. Any other path below `/d/`
 * becomes one that does not exist.
 */
export function expandPermalink(
  url: string,
  headers: IncomingHttpHeaders,
  sessionCookie: Deps['sessionCookie'],
): string {
  if (!url.startsWith(prefix)) return url
  const [match, application, version, stream, platform, architecture, query = ''] = permalink.exec(url) ?? []
  if (match === undefined) return '/api/v1/public/permalinks'
  const parameters = new URLSearchParams(query)
  const share = parameters.get('share')
  if (share !== null) return sharedPath(share, { version, platform, architecture })
  if (architecture !== undefined) parameters.set('architecture', decoded(architecture))
  const hasCredentials =
    headers.authorization !== undefined || sessionCookie.readSessionToken(headers) !== undefined
  const base = hasCredentials
    ? `/api/v1/applications/${application}/permalinks`
    : `/api/v1/public/permalinks/${application}`
  const item = version === undefined ? `streams/${stream}` : `releases/${version}`
  const search = parameters.size === 0 ? '' : `?${parameters.toString()}`
  return `${base}/${item}/${platform}${search}`
}

type Parts = Record<'version' | 'platform' | 'architecture', string | undefined>

/** Returns the path that downloads a build of the release of a share link. Share links do not share streams. */
function sharedPath(share: string, { version = 'none', platform = '', architecture }: Parts): string {
  const search = new URLSearchParams({ version: decoded(version), platform: decoded(platform) })
  if (architecture !== undefined) search.set('architecture', decoded(architecture))
  return `/s/${encodeURIComponent(share)}/download?${search.toString()}`
}

/** Returns the segment as it is if its encoding is invalid. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
