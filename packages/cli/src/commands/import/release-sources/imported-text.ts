import { stripControlCharacters } from '../../../output/format.ts'
import type { ListedRelease } from './release-source.ts'

const maxNotesLength = 20_000

/** Returns text of another service without control characters, or null if nothing is left. */
export function cleanText(text: string | null, maxLength: number): string | null {
  const clean = stripControlCharacters((text ?? '').replaceAll(/\r\n?/g, '\n')).trim()
  return clean.slice(0, maxLength).toWellFormed().trim() || null
}

/** Returns a name of another service on one line, or null if nothing is left. */
export const cleanName = (text: string | null, maxLength: number): string | null =>
  cleanText((text ?? '').replaceAll(/\s+/g, ' '), maxLength)

/**
 * Returns the notes of a release with the date and the URL of its publication, because the API does not accept times of
 * publication.
 */
export function notesWithOrigin({
  notes,
  status,
  date,
  url,
}: Pick<ListedRelease, 'notes' | 'status' | 'date' | 'url'>): { text: string | null; isShortened: boolean } {
  const page = url !== null && /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href : undefined
  const parts = [
    ...(date === null ? [] : [`on ${date.slice(0, 10)}`]),
    ...(page === undefined || page.length > 2000 ? [] : [`at <${page}>`]),
  ]
  const origin = status !== 'published' || parts.length === 0 ? '' : `First published ${parts.join(' ')}.`
  const separator = '\n\n'
  const maxLength = maxNotesLength - origin.length - separator.length
  const complete = cleanText(notes, Infinity)
  const body = cleanText(complete, maxLength)
  const text = [body, origin].filter(Boolean).join(separator)
  return { text: text === '' ? null : text, isShortened: (complete?.length ?? 0) > maxLength }
}
