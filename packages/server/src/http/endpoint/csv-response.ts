import { Readable } from 'node:stream'
import { Type } from 'typebox'

/** A row of a CSV file. null is an empty cell. */
export type CsvRow = readonly (string | number | boolean | null)[]

/**
 * The response of an endpoint that `exports` CSV. The rows are read as fast as the client receives them, so that a file
 * of any length needs little memory.
 */
export type CsvFile = { filename: string; columns: readonly string[]; rows: AsyncIterable<readonly CsvRow[]> }

export const CsvResponse = Type.Unsafe<CsvFile>({ type: 'string' })

export const csvType = 'text/csv'

/** Returns the stream and the headers of a CSV response. A HEAD request gets no stream. */
export function csvResponse(result: unknown, { isHead }: { isHead: boolean }) {
  const { filename, columns, rows } = result as CsvFile
  return {
    status: 200,
    text: '',
    stream: isHead ? null : Readable.from(csvChunks(columns, rows), { objectMode: false }),
    headers: {
      'content-type': `${csvType}; charset=utf-8; header=present`,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  }
}

async function* csvChunks(columns: readonly string[], rows: AsyncIterable<readonly CsvRow[]>) {
  yield csvFile(columns, [])
  for await (const some of rows) if (some.length > 0) yield csvText(some)
}

/** Returns a CSV file. Its byte order mark makes Excel read it as UTF-8. */
export const csvFile = (columns: readonly string[], rows: readonly CsvRow[]): string =>
  `\u{FEFF}${csvText([columns, ...rows])}`

/** Returns rows as CSV (RFC 4180). */
export const csvText = (rows: readonly CsvRow[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Quotes a cell. Spreadsheets run text that starts like a formula, which an apostrophe prevents. */
function cell(value: CsvRow[number]): string {
  if (value === null) return ''
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
