import { renderUserMarkdown } from '../../../http/pages/user-markdown.ts'

const maxSourceLength = 1_000
const maxLength = 200

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** Returns the beginning of notes in Markdown as plain text in one line. */
export function excerptOf(notes: string | null): string {
  const { markup } = renderUserMarkdown((notes ?? '').slice(0, maxSourceLength))
  const text = markup
    // A heading such as "Fixed" says nothing without the list below it.
    .replaceAll(/<h\d>.*?<\/h\d>/gs, ' ')
    .replaceAll(/<\/li>(?:\s|<\/?[uo]l>)*<li>/g, ' · ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed().trimEnd()} …`
}
