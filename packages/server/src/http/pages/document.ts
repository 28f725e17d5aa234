import { hash } from 'node:crypto'
import { acceptedHints } from '../../lib/device.ts'
import { html, Html } from '../../lib/html.ts'
import { documentStyle } from './document.style.ts'
import type { VisitorText } from './text/english.ts'

/** What chats and social networks show of a link to a page. The URLs are absolute. */
export type LinkPreview = {
  siteName: string
  title: string
  description: string
  url: string
  imageUrl?: string
}

/** The content of an HTML page. */
export type DocumentContent = {
  title: string
  body: Html
  /** Set if a preview of the page may be shown to people who have only its link. */
  preview?: LinkPreview
  /** The path of an image, shown in the tab of the browser. */
  iconPath?: string
  /** The origins other than that of the service to which the forms redirect. */
  redirectOrigins?: readonly string[]
  /** CSS in addition to that of every page. */
  style?: string
  /** Feeds of what the page shows. */
  feeds?: readonly { type: string; title: string; path: string }[]
  /** What the page says below its content, instead of the name of the software. */
  footer?: Html
}

const styleHash = hash('sha256', documentStyle, 'base64')
const style = new Html(`<style>${documentStyle}</style>`)

/** Returns a complete page without scripts. Its icon is that of the console if the content has none. */
export function renderDocument(
  { title, body, iconPath, preview, style: moreStyle, feeds = [], footer }: DocumentContent,
  { language, footer: sharedWith }: Pick<VisitorText, 'language' | 'footer'>,
  publicUrl?: string,
): string {
  const path = iconPath ?? consoleIconPath(publicUrl)
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${preview !== undefined && renderPreview(preview)}
        ${path !== undefined && html`<link rel="icon" href="${path}" />`}
        ${feeds.map((feed) => html`<link rel="alternate" type="${feed.type}" title="${feed.title}" href="${feed.path}" />`)}${style}${moreStyle !== undefined && new Html(`<style>${moreStyle}</style>`)}
      </head>
      <body>
        <main>${body}</main>
        <footer>${footer} ${sharedWith}</footer>
      </body>
    </html>`.markup
}

/** Renders the Open Graph tags, and the card of X, for which there is no Open Graph tag. */
function renderPreview({ siteName, title, description, url, imageUrl }: LinkPreview): Html {
  const image =
    imageUrl !== undefined &&
    html`<meta property="og:image" content="${imageUrl}" />
      <meta name="twitter:image" content="${imageUrl}" />`
  return html`<meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${siteName}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta name="twitter:card" content="summary" />
    <meta name="twitter:title" content="${title}" />
    <meta name="twitter:description" content="${description}" />
    ${image}`
}

const consoleIconPath = (publicUrl: string | undefined): string | undefined =>
  publicUrl === undefined ? undefined : `${new URL(publicUrl).pathname.replace(/\/$/, '')}/favicon.svg`

/**
 * Returns the headers of a page. Its URL may contain a secret, and its content depends on cookies and the `Accept`
 * and `Accept-Language` headers. Pages with forms need the public URL and the other origins to which their forms redirect.
 */
export const documentHeaders = (
  publicUrl?: string,
  { redirectOrigins = [], style }: Pick<DocumentContent, 'redirectOrigins' | 'style'> = {},
) => ({
  'accept-ch': acceptedHints,
  'content-type': 'text/html; charset=utf-8',
  // Chromium applies `form-action` to redirects as well, and downloads redirect to the public URL or to S3.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'${style === undefined ? '' : ` 'sha256-${hash('sha256', style, 'base64')}'`}; img-src 'self'; form-action ${["'self'", ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]), ...redirectOrigins].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  ...privateHeaders,
})

/** The headers of responses whose URL may contain a secret. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept, accept-language',
  'x-robots-tag': 'noindex',
}
