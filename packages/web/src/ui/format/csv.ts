/** The byte order mark makes Excel read the file as UTF-8. */
const byteOrderMark = '\u{FEFF}'
export const csvType = 'text/csv;charset=utf-8'

/** Returns rows as a CSV file according to RFC 4180. */
export const csvFile = (rows: readonly (readonly string[])[]): string =>
  byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Quotes a cell. Spreadsheets run a cell that starts like a formula, which an apostrophe prevents. */
function cell(text: string): string {
  const isNumber = /^-\d+(\.\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
