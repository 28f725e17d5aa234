import { page, type PageCall, type PageFile } from '../../../http/pages/page.ts'
import { problem } from '../../../lib/problem.ts'
import { explainPortal } from './explain-portal.ts'
import { renderAtom, renderJsonFeed, renderRss, type Feed } from './feed-formats.ts'
import { feedItem } from './feed-item.ts'
import { feedTypes, readerQuery, type FeedFormat } from './feed-links.ts'
import { listReleasesOfPortal } from './portal-contents.db.ts'
import { conditionalPage } from './portal-document.ts'
import { portalParams, requirePortalOfReader, type VisitedPortal } from './visited-portal.ts'

const maxItems = 30

const renderers: Record<FeedFormat, (feed: Feed) => string> = {
  rss: renderRss,
  atom: renderAtom,
  json: renderJsonFeed,
}

const visitorUnknown = problem(
  'forbidden',
  'portal.visitor_unknown',
  'This portal is private. Open it in a browser to get the address of its feeds.',
)

const feedPage = (format: FeedFormat) =>
  page({
    method: 'GET',
    path: `/public/portals/:portal_id/feed.${format}`,
    isForEveryClient: true,
    params: portalParams,
    load: requirePortalOfReader,
    explain: explainPortal,
    async handle({ portal, ...call }) {
      if (!portal.isOpen) throw visitorUnknown()
      return respond(call, portal, format)
    },
  })

/** The feeds of the newest releases that a portal shows. */
export const portalRssFeed = feedPage('rss')
export const portalAtomFeed = feedPage('atom')
export const portalJsonFeed = feedPage('json')

async function respond(
  call: PageCall,
  portal: VisitedPortal,
  format: FeedFormat,
): Promise<{ file: PageFile }> {
  const applicationId = call.fields.get('application')
  const releases = await listReleasesOfPortal(call.db, portal.id, { applicationId, limit: maxItems })
  const query = readerQuery(call, portal)
  const items = releases.map((release) => feedItem(call.config, portal, { release, query }))
  const feed: Feed = {
    id: feedId(call, portal),
    title: call.text.portal.feedTitle(portal.name),
    language: call.text.language,
    author: portal.name,
    pageUrl: portal.url,
    feedUrl: `${portal.url}/feed.${format}${query}`,
    updatedAt: items.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b), portal.updated_at),
    items,
  }
  return {
    file: {
      content: Buffer.from(renderers[format](feed)),
      contentType: `${feedTypes[format]}; charset=utf-8`,
      headers: conditionalPage.headers,
      isConditional: true,
    },
  }
}

/** A tag URI (RFC 4151), which stays the same if the portal moves to another domain. */
const feedId = ({ config }: PageCall, { id }: VisitedPortal): string =>
  `tag:${new URL(config.publicUrl).hostname},2026:portals/${id}`
