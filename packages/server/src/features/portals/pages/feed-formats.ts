import { html, type Html } from '../../../lib/html.ts'
import { replaceInvalidXml } from '../../../lib/xml.ts'

export type FeedItem = {
  id: string
  title: string
  url: string
  /** Markup, empty if there are no notes. */
  contentHtml: string
  publishedAt: string
  updatedAt: string
  files: readonly { url: string; type: string; filename: string; sizeBytes: number }[]
}

export type Feed = {
  id: string
  title: string
  language: string
  author: string
  pageUrl: string
  feedUrl: string
  updatedAt: string
  items: readonly FeedItem[]
}

const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>\n'

const toXml = ({ markup }: Html): string => `${xmlDeclaration}${replaceInvalidXml(markup, '')}\n`

/** Returns a feed in the format RSS 2.0, which allows one file an item. */
export const renderRss = (feed: Feed): string =>
  toXml(
    html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel>
      <title>${feed.title}</title>
      <link>${feed.pageUrl}</link>
      <description>${feed.title}</description>
      <language>${feed.language}</language>
      <lastBuildDate>${rssDate(feed.updatedAt)}</lastBuildDate>
      <atom:link href="${feed.feedUrl}" rel="self" type="application/rss+xml" />
      ${feed.items.map((item) => renderRssItem(item))}
    </channel>
  </rss>`,
  )

const rssDate = (time: string): string => new Date(time).toUTCString()

function renderRssItem({ id, title, url, contentHtml, publishedAt, files: [file] }: FeedItem): Html {
  return html`<item>
    <title>${title}</title>
    <link>${url}</link>
    <guid isPermaLink="false">${id}</guid>
    <pubDate>${rssDate(publishedAt)}</pubDate>
    ${contentHtml !== '' && html`<description>${contentHtml}</description>`}
    ${file !== undefined && html`<enclosure url="${file.url}" length="${file.sizeBytes}" type="${file.type}" />`}
  </item>`
}

/** Returns a feed in the format Atom 1.0 (RFC 4287). */
export const renderAtom = (feed: Feed): string =>
  toXml(
    html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
      <id>${feed.id}</id>
      <title>${feed.title}</title>
      <updated>${feed.updatedAt}</updated>
      <author><name>${feed.author}</name></author>
      <link rel="self" type="application/atom+xml" href="${feed.feedUrl}" />
      <link rel="alternate" type="text/html" href="${feed.pageUrl}" />
      ${feed.items.map((item) => renderAtomEntry(item))}
    </feed>`,
  )

function renderAtomEntry({ files, ...item }: FeedItem): Html {
  return html`<entry>
    <id>${item.id}</id>
    <title>${item.title}</title>
    <published>${item.publishedAt}</published>
    <updated>${item.updatedAt}</updated>
    <link rel="alternate" type="text/html" href="${item.url}" />
    ${files.map(
      (file) =>
        html`<link
          rel="enclosure"
          title="${file.filename}"
          type="${file.type}"
          length="${file.sizeBytes}"
          href="${file.url}"
        />`,
    )}
    <content type="html">${item.contentHtml}</content>
  </entry>`
}

/** Returns a feed in the format JSON Feed 1.1. */
export const renderJsonFeed = (feed: Feed): string =>
  JSON.stringify(
    {
      version: 'https://jsonfeed.org/version/1.1',
      title: feed.title,
      home_page_url: feed.pageUrl,
      feed_url: feed.feedUrl,
      language: feed.language,
      authors: [{ name: feed.author }],
      items: feed.items.map((item) => ({
        id: item.id,
        url: item.url,
        title: item.title,
        content_html: item.contentHtml,
        date_published: item.publishedAt,
        date_modified: item.updatedAt,
        attachments: item.files.map((file) => ({
          url: file.url,
          mime_type: file.type,
          title: file.filename,
          size_in_bytes: file.sizeBytes,
        })),
      })),
    },
    undefined,
    2,
  )
