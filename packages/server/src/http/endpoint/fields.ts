import { Type, type TSchema, type TStringOptions } from 'typebox'

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601 timestamp in UTC with microseconds.',
  examples: ['2026-11-21T02:40:11.123456Z'],
})

/** Returns the schema of an ID in a path. Accepts any format, because a malformed ID results in a 404. */
export const PathId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

export const ApplicationId = PathId('ID of the application.')
export const BuildId = PathId('ID of the build.')

// Accepts any address that a mail server might accept, because only sending an email shows whether the address exists.
export const emailPattern = '^[^\\s@<>"(),:;\\\\\\[\\]]+@[^\\s@<>"(),:;\\\\\\[\\]]+$'

export const SizeBytes = Type.Integer({ minimum: 0, description: 'Size in bytes.' })

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

/**
 * How `normalizeBody` processes a string. A `name` is normalized and must be visible and usable in a URL. A `reference`
 * is the ID or name of an existing resource and is only normalized. `reported` text describes the client's CI run or
 * repository; any value is accepted and truncated to `cutAt` characters.
 */
export type TextKind = 'name' | 'reference' | 'reported'

/** Schema keywords that only the server uses and that are removed from the OpenAPI document. */
export const internalKeywords: ReadonlySet<string> = new Set([
  'patternMessage',
  'textKind',
  'cutAt',
  'takesNumbers',
])

export const name = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, textKind: 'name', description })

/**
 * Constrains a name that is also a segment of paths, because URL parsers remove the segments `.` and `..`. Without a
 * lookahead, which generated clients in Go cannot compile.
 */
export const pathSegment = {
  pattern: String.raw`^[^.]*$|[^.\s]|\..+\.`,
  patternMessage: 'must not be "." or "..", because URLs cannot contain these names.',
}

export const segmentName = (maxLength: number, description: string) =>
  Type.String({ ...name(maxLength, description), ...pathSegment })

export const reference = (maxLength: number, description: string, options: TStringOptions = {}) =>
  Type.String({ maxLength, textKind: 'reference', description, ...options })

/**
 * Returns an optional field for text that a client reports, for lenient bodies only. Its value never fails validation.
 */
export const reported = (maxLength: number, description: string) =>
  Type.Optional(
    Type.String({
      textKind: 'reported',
      cutAt: maxLength,
      description: `${description} Longer text is truncated to ${maxLength} characters.`,
    }),
  )

// What joiners and variation selectors can change: emoji, and letters of scripts without upper and lower case.
const joinable = '[\\p{Lo}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]'
const joiners = '[\\u200c\\u200d]'
const selectors = '[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]'
const tags = '[\\u{e0020}-\\u{e007f}]'

/** Matches characters that are invisible where they are, and could make two different names look the same. */
const meaningless = new RegExp(
  [
    // Validation rejects NUL.
    '(?!\\0)\\p{Cc}',
    '[\\ufff9-\\ufffb]',
    // Directional formatting, zero-width spaces, soft hyphens and fillers.
    `(?!${joiners}|${selectors}|${tags})\\p{Default_Ignorable_Code_Point}`,
    `(?<!${joinable}\\ufe0f?)${joiners}`,
    `${joiners}(?!${joinable})`,
    `(?<!${joinable})${selectors}`,
    // Flags of regions are a black flag and tags.
    `(?<!\\u{1f3f4}${tags}*)${tags}`,
  ].join('|'),
  'gu',
)
const isReadable = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Converts a name or reference to the form in which names are stored and compared: composed (NFC), on one line, and
 * without invisible characters that could make two different names look the same. Text that has only invisible
 * characters keeps them, so that `nameError` can reject it; the empty string means that a client left the field out.
 */
export function normalizeName(text: string): string {
  const line = text
    .normalize('NFC')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .trim()
  const visible = line.replaceAll(meaningless, '').trim()
  return visible === '' ? line : visible
}

/**
 * Returns the reason why a normalized string is not a valid name, or undefined if it is valid. Accepts the empty
 * string, which `minLength` rejects.
 */
export function nameError(text: string): string | undefined {
  if (text === '') return undefined
  if (text === '.' || text === '..') return 'must not be "." or "..", which URLs cannot contain.'
  return isReadable.test(text) ? undefined : 'must contain a visible character.'
}

/** Returns the schema of a query parameter that is a comma-separated list. */
export const CommaSeparated = (items: string) =>
  Type.String({
    maxLength: 5000,
    description: `${items}, separated by commas. Matches any of them. A comma within a value can be written as \`\\,\`.`,
  })

const pieces = (value: string): string[] => value.split(/(?<!\\),/)
const unescape = (text: string): string => text.replaceAll('\\,', ',').trim()

/** Splits a comma-separated query value into unique entries. Returns undefined if there are none. */
export function splitCommas(value: string | undefined): string[] | undefined {
  const parts = pieces(value ?? '')
    .map(unescape)
    .filter((part) => part !== '')
  return parts.length === 0 ? undefined : [...new Set(parts)]
}

const maxJoinedPieces = 4

/** A comma-separated list of IDs or names, in which commas within a name need not be escaped. */
export type NameList = {
  /** Every string that could be one of the IDs or names. */
  candidates: string[]
  /**
   * Splits the list into known IDs or names, preferring the shortest. If that is not possible, returns only the unknown
   * entries.
   */
  resolve: (isKnown: (text: string) => boolean) => { known: string[]; unknown: string[] }
}

/** Parses a comma-separated list of IDs or names. Returns undefined if it is empty. */
export function readNameList(value: string | undefined): NameList | undefined {
  const all = pieces(value ?? '').filter((piece) => unescape(piece) !== '')
  if (all.length === 0) return undefined
  const joined = (start: number, count: number) => unescape(all.slice(start, start + count).join(','))
  const lengths = Array.from({ length: maxJoinedPieces }, (_, index) => index + 1)
  const starts = all.map((_, start) => start)
  const fits = (start: number, count: number) => start + count <= all.length
  return {
    candidates: [
      ...new Set(
        starts.flatMap((start) => lengths.filter((n) => fits(start, n)).map((n) => joined(start, n))),
      ),
    ],
    resolve(isKnown) {
      // The list is processed from the end. `covers[start]` contains known names that make up the rest of the list from
      // `start`, or undefined if there are none.
      const covers: (string[] | undefined)[] = [...starts.map(() => undefined), []]
      for (const start of starts.toReversed()) {
        const count = lengths.find((n) => fits(start, n) && covers[start + n] && isKnown(joined(start, n)))
        if (count !== undefined) covers[start] = [joined(start, count), ...(covers[start + count] ?? [])]
      }
      const single = starts.map((start) => joined(start, 1))
      if (covers[0] !== undefined) return { known: [...new Set(covers[0])], unknown: [] }
      return { known: [], unknown: [...new Set(single.filter((text) => !isKnown(text)))] }
    },
  }
}

/** Returns the IDs of the rows that were found for a list of names, and the entries that match no row. */
export function resolveNames(names: NameList, found: { id: string; requested: string }[]) {
  const { known, unknown } = names.resolve((text) => found.some(({ requested }) => requested === text))
  const ids = found.filter(({ requested }) => known.includes(requested)).map(({ id }) => id)
  return { ids: [...new Set(ids)], unknown }
}
