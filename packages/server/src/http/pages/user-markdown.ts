import { Marked, type RendererObject } from 'marked'
import { escapeHtml, Html, html } from '../../lib/html.ts'
import { isWebUrl } from '../../net/web-url.ts'

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
  // The text beside the box is not its label, so screen readers need a name.
  checkbox: ({ checked }) =>
    `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? 'Done' : 'To do'}"> `,
  html: ({ text }) => escapeHtml(text),
  // The parser leaves text between raw tags such as <kbd> as it is.
  text: (token) => ('escaped' in token && token.escaped ? escapeHtml(token.text) : false),
}
const marked = new Marked({ renderer, gfm: true, breaks: true })

// The parser takes time quadratic in the delimiters of a block and the depth of nested lists and quotes. Measured with
// these limits: at most 0.2 s for 20,000 characters, instead of 4 s.
const maxDelimitersPerBlock = 500
const deepNesting = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*){12}/m

const isSimple = (source: string): boolean =>
  !deepNesting.test(source) &&
  source
    .split(/\n[ \t]*\n/)
    .every((block) => (block.match(/[*_~[\]<]/g)?.length ?? 0) <= maxDelimitersPerBlock)

/**
 * Renders Markdown that a user wrote. Raw HTML is escaped, and only HTTP and HTTPS addresses become links. Text that
 * would take long to parse is shown as it is.
 */
export const renderUserMarkdown = (source: string): Html =>
  isSimple(source) ? new Html(marked.parse(source, { async: false })) : html`<p class="plain">${source}</p>`
