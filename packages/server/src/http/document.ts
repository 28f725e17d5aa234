import { hash } from 'node:crypto'
import { html, Html } from '../lib/html.ts'
import { documentStyle } from './document.style.ts'

/** The content of an HTML page. */
export type DocumentContent = {
  title: string
  body: Html
  /** The path of an image, shown in the tab of the browser. */
  iconPath?: string
  /** The origins other than that of the service to which the forms redirect. */
  redirectOrigins?: readonly string[]
}

const styleHash = hash('sha256', documentStyle, 'base64')
const style = new Html(`<style>${documentStyle}</style>`)

/** Returns a complete page without scripts. Its icon is that of the console if the content has none. */
export function renderDocument({ title, body, iconPath }: DocumentContent, publicUrl?: string): string {
  const path = iconPath ?? consoleIconPath(publicUrl)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${path !== undefined && html`<link rel="icon" href="${path}" />`}${style}
      </head>
      <body>
        <main>${body}</main>
        <footer>Shared with Quayside</footer>
      </body>
    </html>`.markup
}

const consoleIconPath = (publicUrl: string | undefined): string | undefined =>
  publicUrl === undefined ? undefined : `${new URL(publicUrl).pathname.replace(/\/$/, '')}/favicon.svg`

/**
 * Returns the headers of a page. Its URL may contain a secret, and its content depends on cookies and the `Accept`
 * header. Pages with forms need the public URL and the other origins to which their forms redirect.
 */
export const documentHeaders = (publicUrl?: string, redirectOrigins: readonly string[] = []) => ({
  'content-type': 'text/html; charset=utf-8',
  // Chromium applies `form-action` to redirects as well, and downloads redirect to the public URL or to S3.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; form-action ${["'self'", ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]), ...redirectOrigins].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  ...privateHeaders,
})

/** The headers of responses whose URL may contain a secret. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept',
  'x-robots-tag': 'noindex',
}
