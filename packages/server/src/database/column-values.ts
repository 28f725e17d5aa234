import pg from 'pg'

const oids = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  int8Array: 1016,
  textArray: 1009,
  dateArray: 1182,
  timestampArray: 1115,
  timestamptzArray: 1185,
} as const

const utcText = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::00)?$/

/**
 * Converts a timestamptz in UTC, as text or from JSON, to 'YYYY-MM-DDTHH:MM:SS.ffffffZ'. Leaves 'infinity' and years BC
 * unchanged.
 */
function timestampFromPostgres(text: string): string {
  const parts = utcText.exec(text)
  return parts === null ? text : `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(6, '0')}Z`
}

function int8FromPostgres(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} exceeds the safe integers of a number`)
  return value
}

const asText = (text: string): string => text
const textArray = pg.types.getTypeParser(oids.textArray as number) as (text: string) => (string | null)[]
const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string) =>
    textArray(text).map((element) => (element === null ? null : parse(element)))

const parsers = new Map<number, (text: string) => unknown>([
  [oids.int8, int8FromPostgres],
  [oids.date, asText],
  [oids.timestamp, asText],
  [oids.timestamptz, timestampFromPostgres],
  [oids.int8Array, arrayOf(int8FromPostgres)],
  [oids.dateArray, textArray],
  [oids.timestampArray, textArray],
  [oids.timestamptzArray, arrayOf(timestampFromPostgres)],
])

/**
 * Parses int8 as a number, timestamptz as an ISO 8601 string with microseconds, and date and timestamp as strings. The
 * same applies to the elements of arrays. Other types use pg's parsers.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
}
