import { emailPattern } from '../../../http/endpoint/fields.ts'
import type { PageCall } from '../../../http/pages/page.ts'
import { maxScreenshotBytes } from '../../../inspection/images/screenshot.ts'
import { reportedText } from '../../../lib/reported-text.ts'
import type { BuildRow } from '../../builds/build.db.ts'

export const maxTextLength = 4000
export const maxNameLength = 100
export const maxEmailLength = 254
export const maxScreenshots = 3

export type FieldName = 'build_id' | 'text' | 'rating' | 'screenshots' | 'name' | 'email'

export type SentFeedback = {
  build: BuildRow
  text: string
  rating: number | null
  name: string | null
  email: string | null
  images: Buffer[]
}

export type FieldErrors = Partial<Record<FieldName, string>>

type Sent = Pick<PageCall, 'fields' | 'files' | 'text'>

/** Returns what a visitor sent with a form, or what is wrong with it, in the language of the visitor. */
export function readFeedback(
  { fields, files, text: { feedback } }: Sent,
  builds: readonly BuildRow[],
  knownEmail: string | undefined,
): { sent: SentFeedback } | { errors: FieldErrors } {
  const { errors: texts } = feedback
  const errors: FieldErrors = {}
  const [only, ...others] = builds
  const buildId = fields.get('build_id')
  const build = others.length === 0 ? only : builds.find(({ id }) => id === buildId)
  if (build === undefined) errors.build_id = texts.build
  const text = plainText(fields.get('text') ?? '')
  if (text === '') errors.text = texts.missing
  else if (text.length > maxTextLength) errors.text = texts.tooLong(maxTextLength)
  const rating = fields.get('rating') ?? ''
  if (!/^[1-5]?$/.test(rating)) errors.rating = texts.rating
  const typedEmail = (fields.get('email') ?? '').trim()
  if (typedEmail !== '' && knownEmail === undefined && !isEmail(typedEmail)) errors.email = texts.email
  const images = files.filter(({ name }) => name === 'screenshots').map(({ bytes }) => bytes)
  if (images.length > maxScreenshots) errors.screenshots = texts.tooMany(maxScreenshots)
  else if (images.some(({ length }) => length > maxScreenshotBytes))
    errors.screenshots = texts.tooLarge(maxScreenshotBytes / 1024 / 1024)
  if (build === undefined || Object.keys(errors).length > 0) return { errors }
  return {
    sent: {
      build,
      text,
      rating: rating === '' ? null : Number(rating),
      name: knownEmail === undefined ? reportedText(fields.get('name') ?? '', maxNameLength) || null : null,
      email: knownEmail ?? (typedEmail || null),
      images,
    },
  }
}

const isEmail = (text: string): boolean =>
  text.length <= maxEmailLength && new RegExp(emailPattern).test(text) && text.isWellFormed()

// Keeps line breaks and tabs. Removes control characters, and formatting characters that can disguise text.
const invisible = /(?![\n\t])\p{Cc}|[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

const plainText = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(invisible, '').normalize('NFC').trim()
