import { english, type VisitorText } from './english.ts'
import { german } from './german.ts'

const texts: ReadonlyMap<string, VisitorText> = new Map(
  [english, german].map((text) => [text.language, text]),
)
const maxHeaderLength = 500

/** Returns the text in the language that the `Accept-Language` header prefers, or else in English. */
export function textFor(acceptLanguage: string | undefined): VisitorText {
  const ranges = (acceptLanguage ?? '').slice(0, maxHeaderLength).toLowerCase().split(',')
  const preferred = ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ language, quality }) => texts.has(language) && quality > 0)
    .toSorted((first, second) => second.quality - first.quality)[0]
  return texts.get(preferred?.language ?? '') ?? english
}
