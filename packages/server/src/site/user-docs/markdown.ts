import { Marked, Renderer, type RendererObject, type Tokens } from 'marked'
import { escapeHtml } from '../../lib/html.ts'

export type Heading = { id: string; title: string; depth: number }

/** A part of a page that a search can find: the text below one heading. */
export type Section = Heading & { text: string }

export type RenderedPage = { html: string; title: string; sections: Section[] }

/**
 * Renders a page. `resolveLink` returns the URL of a link or image target, or undefined if the page is not served; such
 * a link is rendered as text. Raw HTML is escaped, except that comments are omitted.
 */
export function renderMarkdown(
  source: string,
  resolveLink: (target: string) => string | undefined,
): RenderedPage {
  const sections: Section[] = []
  const uniqueId = createSlugs()
  const renderer: RendererObject = {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens)
      const title = plainText(inner)
      const id = uniqueId(title)
      sections.push({ id, title, depth, text: '' })
      const link =
        depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
      return `<h${depth} id="${id}">${inner}${link}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const name = /^\w*/.exec(lang)?.[0] ?? ''
      return `<pre data-language="${name}"><code>${highlightComments(text, name)}</code></pre>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const url = resolveLink(href)
      return url === undefined ? inner : `<a href="${escapeHtml(url)}">${inner}</a>`
    },
    image({ href, text }) {
      const url = resolveLink(href)
      if (url === undefined) return ''
      const image = `<img src="${escapeHtml(url)}" alt="${escapeHtml(text)}" loading="lazy">`
      const dark = darkScreen(href)
      return dark === undefined
        ? `<span class="picture">${image}</span>`
        : renderScreen(url, image, resolveLink(dark))
    },
    // A table that is wider than the screen scrolls, also in a list.
    table(token) {
      return `<div class="table">${Renderer.prototype.table.call(this, token)}</div>`
    },
    html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
  }
  const marked = new Marked({ renderer })
  const html = marked
    .lexer(source)
    .map((token) => {
      const part = marked.parser([token])
      const section = sections.at(-1)
      if (section !== undefined && token.type !== 'heading')
        section.text = `${section.text} ${plainText(part)}`.trim()
      return part
    })
    .join('')
  const title = sections.find(({ depth }) => depth === 1)?.title ?? ''
  return { html, title, sections }
}

/** Returns the picture of a console screen in dark mode, which is beside the one in light mode, or undefined for others. */
const darkScreen = (picture: string): string | undefined =>
  picture.endsWith('-light.webp') ? picture.replace(/light\.webp$/, 'dark.webp') : undefined

/** Returns a screen that follows the color scheme of the reader and links to the picture in its full size. */
function renderScreen(url: string, image: string, darkUrl: string | undefined): string {
  const dark =
    darkUrl === undefined
      ? ''
      : `<source srcset="${escapeHtml(darkUrl)}" media="(prefers-color-scheme: dark)">`
  return `<a class="screen" href="${escapeHtml(url)}"><picture>${dark}${image}</picture></a>`
}

export type NavigationGroup = { title: string; pages: { title: string; file: string }[] }

/** Returns the links to pages in the lists of an index page, grouped by the heading above each list. */
export function readNavigation(index: string): NavigationGroup[] {
  const groups: NavigationGroup[] = []
  for (const token of new Marked().lexer(index)) {
    if (token.type === 'heading') groups.push({ title: (token as Tokens.Heading).text, pages: [] })
    if (token.type !== 'list') continue
    for (const { text } of (token as Tokens.List).items) {
      const [, title, file] = /^\[([^\]]+)\]\(([\w-]+\.md)\)/.exec(text) ?? []
      if (title !== undefined && file !== undefined) groups.at(-1)?.pages.push({ title, file })
    }
  }
  return groups.filter(({ pages }) => pages.length > 0)
}

/** Returns a function that converts headings to anchors as GitHub does, so that links work in both places. */
function createSlugs(): (title: string) => string {
  const used = new Map<string, number>()
  return (title) => {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text content of HTML that this module rendered. */
const plainText = (html: string): string =>
  html
    .replaceAll(/<a class="anchor".*?<\/a>/g, '')
    .replaceAll(/<\/?(?:a|code|em|span|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (entities[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()

const languagesWithHashComments = new Set(['sh', 'yaml', 'nginx', 'ini', 'groovy'])

/** Escapes code and marks comments that begin with `#` or, in Groovy, `//`. A marker inside quotes is not a comment. */
function highlightComments(code: string, language: string): string {
  if (!languagesWithHashComments.has(language)) return escapeHtml(code)
  return code
    .split('\n')
    .map((line) => {
      const start = findComment(line, language === 'groovy' ? '//' : '#')
      if (start === -1) return escapeHtml(line)
      return `${escapeHtml(line.slice(0, start))}<span class="comment">${escapeHtml(line.slice(start))}</span>`
    })
    .join('\n')
}

function findComment(line: string, marker: string): number {
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (line.startsWith(marker, index) && (index === 0 || line[index - 1] === ' ')) return index
  }
  return -1
}
