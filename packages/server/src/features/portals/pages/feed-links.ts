import type { PageCall } from '../../../http/pages/page.ts'
import { readerKey, type VisitedPortal } from './visited-portal.ts'

/** The formats of feeds by the ending of their path, in the order in which pages list them. */
export const feedTypes = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
} as const

export type FeedFormat = keyof typeof feedTypes

const feedFormats = Object.keys(feedTypes) as FeedFormat[]

/** Returns the query with which a feed reader opens what it gets of a private portal; empty for a public one. */
export function readerQuery(call: Pick<PageCall, 'secretBox'>, { id, visitor_email }: VisitedPortal): string {
  return visitor_email === null ? '' : `?reader=${readerKey(call, id, visitor_email)}`
}

/** Returns the feeds of a portal for the visitor. Those of a private portal are personal. */
export function feedsOf(call: Pick<PageCall, 'secretBox' | 'text'>, portal: VisitedPortal) {
  const title = call.text.portal.feedTitle(portal.name)
  const query = readerQuery(call, portal)
  return feedFormats.map((format) => ({
    type: feedTypes[format],
    title,
    path: `${portal.base}/feed.${format}${query}`,
  }))
}
