import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '../../../deps.ts'
import { readDomainName } from '../../../net/domain-name.ts'
import { portalPrefix } from '../portal.ts'
import { findPortalAtHost } from './portal-host.db.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The path of the pages of portals. */
const portalRoute = '/api/v1/public/portals'
const iconPath = /^\/api\/v1\/public\/icons\/[\w-]+$/

/** Returns the host name of a `Host` header in lower case, without its port. */
export const hostNameOf = (host: string | undefined): string =>
  (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

/**
 * Creates the part of the server that serves each portal at its own hosts: its verified custom domain and its subdomain at
 * the domain of portals. A request for such a host reaches only the pages of that portal. Any other name reaches the service,
 * because proxies and nodes know it by names of their own. Only the `Host` header counts, because clients can set all others too.
 */
export function createPortalHosts({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>) {
  const { portalDomain, updateHosts } = config
  const { host: serviceAuthority, hostname: serviceHost } = new URL(config.publicUrl)
  /** The portals of requests for hosts other than those of the service; undefined for a host that has none. */
  const portals = new WeakMap<IncomingMessage, string | undefined>()

  /** Returns the domain of a request that can be for a portal; undefined for one that is for the service. */
  const domainOf = (host: string): string | undefined =>
    host === serviceHost || updateHosts.has(host) ? undefined : readDomainName(host)

  async function route(host: string, request: IncomingMessage): Promise<void> {
    const portalId = await findPortalAtHost(db, host, portalDomain)
    const isBelowPortalDomain = portalDomain !== undefined && `.${host}`.endsWith(`.${portalDomain}`)
    if (portalId !== undefined || isBelowPortalDomain) portals.set(request, portalId)
  }

  return {
    /** Returns a handler that finds out which portal a request is for before it passes the request on. */
    createHandler:
      (next: Handler): Handler =>
      (request, response) => {
        if (request.headers.host === serviceAuthority) return next(request, response)
        const host = domainOf(hostNameOf(request.headers.host))
        if (host === undefined) return next(request, response)
        route(host, request).then(
          () => next(request, response),
          (error: unknown) => {
            log.warn({ err: error }, 'the portal of a host could not be looked up')
            const body = JSON.stringify({
              message: 'The service is temporarily unavailable. Try again later.',
            })
            response
              .writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
              .end(body)
          },
        )
      },
    /**
     * Returns the path that serves a request for the host of a portal, or undefined if the request is for the service.
     * A path that the portal does not have becomes one that does not exist.
     */
    rewrite(url: string, request: IncomingMessage): string | undefined {
      if (!portals.has(request)) return undefined
      const portalId = portals.get(request)
      if (portalId === undefined) return `${portalRoute}/unknown/host`
      if (iconPath.test(url)) return url
      return `${portalRoute}/${portalId}${url.startsWith('/?') ? url.slice(1) : url === '/' ? '' : `/${url.replace(/^\//, '')}`}`
    },
  }
}

/** Replaces the path of a portal at the address of the service with the path of its pages. */
export function expandPortalPath(url: string): string {
  if (!url.startsWith(portalPrefix)) return url
  const rest = url.slice(portalPrefix.length)
  // The address with and without a trailing slash is the same page.
  return `${portalRoute}/${rest.replace(/^([^/?]+)\/(?=\?|$)/, '$1')}`
}

/** Returns whether a visitor opened a portal at the address of the service and not at a host of its own. */
export const isAtService = (visitedPath: string): boolean =>
  visitedPath.startsWith(portalPrefix) || visitedPath.startsWith('/api/v1/')
