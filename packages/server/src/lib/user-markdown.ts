import { Marked, type RendererObject } from 'marked'
import { escapeHtml, Html, html } from './html.ts'
import { isWebUrl } from './web-url.ts'

// Headings of the page itself are h1 and h2.
const headingOffset = 2

const linkTo = (href: string, label: string): string =>
  isWebUrl(href) ? `<a href="${escapeHtml(href)}" rel="nofollow noreferrer">${label}</a>` : label

const renderer: RendererObject = {
  heading({ tokens, depth }) {
    const level = Math.min(depth + headingOffset, 6)
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
  },
  code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
  link({ href, tokens }) {
    return linkTo(href, this.parser.parseInline(tokens))
  },
  // The content policy blocks images of other sites, which could otherwise count visitors.
  image: ({ href, text }) => linkTo(href, escapeHtml(text === '' ? href : text)),
  html: ({ text }) => escapeHtml(text),
}
const marked = new Marked({ renderer, gfm: true, breaks: true })

/**
 * Renders Markdown that a user wrote. Raw HTML is escaped, and only HTTP and HTTPS addresses become links. Text that
 * cannot be parsed, such as deeply nested quotes, is shown as it is.
 */
export function renderUserMarkdown(source: string): Html {
  try {
    return new Html(marked.parse(source, { async: false }))
  } catch {
    return html`<p class="plain">${source}</p>`
  }
}
