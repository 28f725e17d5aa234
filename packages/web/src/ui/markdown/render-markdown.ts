import { Marked, type RendererObject } from 'marked'

// The pages for visitors render Markdown with packages/server/src/http/pages/user-markdown.ts, which the console cannot import.
// The test requires the same output, except that links of the console open in another tab.

// Headings of the page itself are h1 and h2.
const headingOffset = 2

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

const linkTo = (href: string, label: string): string =>
  isWebUrl(href)
    ? `<a href="${escapeHtml(href)}" rel="nofollow noreferrer" target="_blank">${label}</a>`
    : label

const renderer: RendererObject = {
  heading({ tokens, depth }) {
    const level = Math.min(depth + headingOffset, 6)
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
  },
  code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
  link({ href, tokens }) {
    return linkTo(href, this.parser.parseInline(tokens))
  },
  // An image of another site would tell that site who reads the notes.
  image: ({ href, text }) => linkTo(href, escapeHtml(text === '' ? href : text)),
  // The text beside the box is not its label, so screen readers need a name.
  checkbox: ({ checked }) =>
    `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? 'Done' : 'To do'}"> `,
  html: ({ text }) => escapeHtml(text),
  // The parser leaves text between raw tags such as <kbd> as it is.
  text: (token) => ('escaped' in token && token.escaped ? escapeHtml(token.text) : false),
}
const marked = new Marked({ renderer, gfm: true, breaks: true })

const maxDelimitersPerBlock = 500
const deepNesting = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*){12}/m

const isSimple = (source: string): boolean =>
  !deepNesting.test(source) &&
  source
    .split(/\n[ \t]*\n/)
    .every((block) => (block.match(/[*_~[\]<]/g)?.length ?? 0) <= maxDelimitersPerBlock)

/**
 * Renders Markdown as HTML. Raw HTML is escaped, and only HTTP and HTTPS addresses become links. Text that would take
 * long to parse is shown as it is.
 */
export const renderMarkdown = (source: string): string =>
  isSimple(source) ? marked.parse(source, { async: false }) : `<p class="plain">${escapeHtml(source)}</p>`
