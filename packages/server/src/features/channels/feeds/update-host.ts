import type { IncomingHttpHeaders } from 'node:http'
import type { UpdateHosts } from '../../../config/update-hosts.ts'

/**
 * Replaces a path on the host name of an old update server with the path of the channel that serves it, so that installed
 * copies find updates although they know only that host. Paths of channels stay as they are.
 */
export function expandUpdateHost(
  hosts: UpdateHosts,
  url: string,
  { host = '' }: IncomingHttpHeaders,
): string {
  if (hosts.size === 0 || url.startsWith('/u/')) return url
  const base = hosts.get(host.toLowerCase().replace(/:\d+$/, ''))
  return base === undefined ? url : `${base}${url.startsWith('/') ? '' : '/'}${url}`
}

const releasesPath = /^\/api\/v1\/repos\/([23456789a-z]{10})\/[^/?]+\/releases(?=[/?]|$)/

/**
 * Replaces `/api/v1/repos/{channel}/{name}/releases` with the path of the channel, because clients such as Obtainium and
 * Velopack know only the host of a Gitea server. The API of this service has no path `repos`.
 */
export function expandReleasesPath(url: string): string {
  const [, channel] = releasesPath.exec(url) ?? []
  return channel === undefined ? url : `/u/${channel}/gitea${url}`
}
