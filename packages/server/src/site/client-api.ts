import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { version } from '../config/version.ts'
import type { Deps } from '../deps.ts'
import { createAuthenticate } from '../features/api-keys/authenticate.ts'
import { createRequestCounts } from '../features/channels/adoption/request-counts.ts'
import { channelFeeds } from '../features/channels/feeds/serve-feeds.ts'
import { expandReleasesPath, expandUpdateHost } from '../features/channels/feeds/update-host.ts'
import { createReportCounts } from '../features/channels/rollouts/report-counts.ts'
import { expandInstallPath } from '../features/installs/install-grant.ts'
import { enqueueMail } from '../features/mails/mail.ts'
import { scimRoutes } from '../features/members/scim/scim-routes.ts'
import { createSignInRules } from '../features/members/sign-in-rules.ts'
import { expandPermalink } from '../features/permalinks/permalink-path.ts'
import { createPortalHosts, expandPortalPath } from '../features/portals/pages/portal-hosts.ts'
import { createAuthenticateSession } from '../features/sessions/authenticate-session.ts'
import { expandShortPath } from '../features/share-links/share-link-url.ts'
import { webhookEvents } from '../features/webhooks/webhook-events.ts'
import { documentation } from '../http/reference/documentation.ts'
import { openApiDocument } from '../http/reference/openapi.ts'
import { createApi, type OnResponse } from '../http/server.ts'
import { createPoster, type JsonReader } from '../net/outgoing.ts'
import { pages } from '../pages.ts'
import { routes } from '../routes.ts'
import { createSignInMails } from '../sign-in/sign-in-mails.ts'
import { signInRoutes } from '../sign-in/sign-in-routes.ts'
import { createCliBundle } from './cli-download/bundle.ts'
import { cliDownload } from './cli-download/cli-download.ts'
import { webConsole } from './console/console.ts'
import { createPagePreviews } from './console/page-previews.ts'
import { siteFiles } from './site-files.ts'
import { userDocs } from './user-docs/user-docs.ts'

type Options = {
  server: Server
  workspaceId: string
  /** Reads the documents of identity providers. */
  reader: JsonReader
  /** Receives the functions that stop what the API has started. */
  closers: (() => Promise<void>)[]
  onResponse?: OnResponse
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Creates everything that is served to clients: the API, sign-in, the console, the documentation and the command line. */
export async function createClientApi(
  deps: Deps,
  { server, workspaceId, reader, closers, onResponse }: Options,
): Promise<{ api: FastifyInstance; handler: Handler }> {
  const { db, clock, log, config, issuerAddresses, mailer, storage, customStores } = deps
  const { publicUrl, bootstrapKey } = config
  let handler: Handler = () => {}
  const portalHosts = createPortalHosts(deps)
  const api = createApi({
    deps,
    endpoints: routes,
    pages,
    authenticate: {
      key: createAuthenticate({ db, clock, log, workspaceId, bootstrapKey }),
      session: createAuthenticateSession(deps),
    },
    server,
    onHandler: (created) => {
      handler = created
    },
    rewriteUrl: (url, request) => portalHosts.rewrite(url, request) ?? expandPath(deps, url, request.headers),
    ...(onResponse && { onResponse }),
  })
  await api.register(siteFiles(config, clock))
  const requests = createRequestCounts(deps)
  const reports = createReportCounts(deps)
  closers.push(async () => void (await Promise.all([requests.close(), reports.close()])))
  await api.register(channelFeeds(deps, { requests, reports }))
  await api.register(documentation(() => openApiDocument(routes, webhookEvents, version), publicUrl))
  await api.register(cliDownload(createCliBundle(publicUrl), publicUrl))
  await api.register(userDocs(publicUrl, version))
  const mails = createSignInMails({ ...deps, enqueue: (tx, mail) => enqueueMail(tx, deps, mail) })
  closers.push(() => mails.close())
  const poster = createPoster(issuerAddresses)
  closers.push(() => poster.close())
  const rules = createSignInRules({ db, config, log, workspaceId })
  await api.register(signInRoutes({ ...deps, reader, poster, mails, rules, hasMail: mailer !== undefined }))
  await api.register(scimRoutes(deps))
  const hostedOrigins = await storage.listClientOrigins()
  const previews = createPagePreviews({ publicUrl, log })
  closers.push(() => previews.close())
  await api.register(
    webConsole(publicUrl, {
      previews,
      listStorageOrigins: async () => [...hostedOrigins, ...(await customStores.listClientOrigins())],
    }),
  )
  await api.ready()
  return { api, handler: portalHosts.createHandler(handler) }
}

/** Replaces a path that people and updaters use with the path of its endpoint or page. */
function expandPath(deps: Deps, url: string, headers: IncomingHttpHeaders): string {
  const path = expandReleasesPath(expandUpdateHost(deps.config.updateHosts, url, headers))
  const expanded = expandPermalink(expandPortalPath(path), headers, deps.sessionCookie)
  return expandShortPath(deps, expandInstallPath(expanded))
}
