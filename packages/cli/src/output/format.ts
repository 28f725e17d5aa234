import { cutToWidth, padToWidth, widthOf, wrapText } from './text-width.ts'

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Formats a size as the service does, in steps of 1024 with two decimals: `3.39 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  // From 1023.995 upward, toFixed(2) would print 1024.00, so the next unit is used.
  while (value >= 1023.995 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit++
  }
  return unit === 0 ? `${value} B` : `${value.toFixed(2)} ${sizeUnits[unit]}`
}

/** Formats a duration: `8 s`, `2 min 05 s`, `1 h 03 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** Removes control and bidirectional characters, which untrusted text could use to manipulate the terminal. */
export function stripControlCharacters(text: string): string {
  // eslint-disable-next-line no-control-regex -- the expression removes control characters
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

type BuildVersion = { version: string; build_number: string | null }

export type Cell = string | number | null | undefined

const columnGap = 2
const minColumnWidth = 8
const minWrappedWidth = 20

/**
 * Formats rows as a table with aligned columns. If the table is wider than `maxWidth`, the widest columns are shortened,
 * but never the first, which has the IDs, nor times. If it is still wider, each row becomes a block of fields.
 */
export function formatTable(headings: string[], rows: Cell[][], maxWidth = Infinity): string {
  const cells = rows.map((row) => row.map(formatCell))
  const lines = [headings, ...cells]
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column] ?? ''))))
  const cuttable = headings.flatMap((_, column) =>
    column === 0 || cells.some((row) => formattedTime.test(row[column] ?? '')) ? [] : column,
  )
  const overflow = () => widths.reduce((sum, width) => sum + width + columnGap, -columnGap) - maxWidth
  while (overflow() > 0) {
    const widest = Math.max(...cuttable.map((column) => widths[column] ?? 0))
    if (widest <= minColumnWidth) return formatBlocks(headings, cells)
    widths[cuttable.find((column) => widths[column] === widest) ?? 0] = widest - 1
  }
  const fit = (cell: string, width: number) =>
    padToWidth(widthOf(cell) > width ? `${cutToWidth(cell, width - 1)}…` : cell, width)
  const formatLine = (row: string[]) =>
    row.map((cell, column) => fit(cell, widths[column] ?? 0)).join(' '.repeat(columnGap))
  return lines.map((row) => formatLine(row).trimEnd()).join('\n')
}

/**
 * Formats a table like `formatTable`. If it is wider than `maxWidth`, the text in the column `wrapped` continues on further lines,
 * because people have to read all of it.
 */
export function formatWrappedTable(
  headings: string[],
  rows: Cell[][],
  { wrapped, maxWidth = Infinity }: { wrapped: number; maxWidth: number | undefined },
): string {
  const cells = rows.map((row) => row.map(formatCell))
  const others = headings.map((_, column) =>
    column === wrapped ? 0 : Math.max(...[headings, ...cells].map((row) => widthOf(row[column] ?? ''))),
  )
  const width = maxWidth - others.reduce((sum, other) => sum + other + columnGap, -columnGap)
  if (width < minWrappedWidth) return formatBlocks(headings, cells)
  const lines = cells.flatMap((row) =>
    wrapText(row[wrapped] ?? '', width).map((text, index) =>
      row.map((cell, column) => (column === wrapped ? text : index === 0 ? cell : '')),
    ),
  )
  return formatTable(headings, lines)
}

const formatBlocks = (headings: string[], rows: Cell[][]): string =>
  rows
    .map((row) => formatFields(headings.map((heading, column) => [heading, row[column]])))
    .filter((block) => block !== '')
    .join('\n\n')

/** Formats a row with the given minimum width of each column. */
export function formatColumns(row: Cell[], widths: number[]): string {
  return row
    .map((cell, column) => padToWidth(formatCell(cell), widths[column] ?? 0))
    .join('  ')
    .trimEnd()
}

/** Formats one name and value per line and omits empty values. */
export function formatFields(fields: [string, Cell][]): string {
  const present = fields.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...present.map(([name]) => name.length))
  return present.map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`).join('\n')
}

function formatCell(value: Cell): string {
  const text = stripControlCharacters(String(value ?? '')).replaceAll(/\s+/g, ' ')
  return apiTimestamp.test(text) ? formatTime(text) : text
}

const apiTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const formattedTime = /^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/

/** Formats an API timestamp as `2026-11-21 02:40`. Tables and fields format their timestamps with it. */
export function formatTime(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}

/** Formats the version of a build and its build number: `1.4.0 (218)`. */
export const formatVersion = ({ version, build_number: number }: BuildVersion): string =>
  number === null ? version : `${version} (${number})`
