import { printable } from './units.ts'

/** Columns of text under their headings, separated by two spaces. */
export function tableText(headings: string[], rows: (string | number | null | undefined)[][]): string {
  const cells = [headings, ...rows.map((row) => row.map(cellText))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return cells.map((row) => line(row).trimEnd()).join('\n')
}

/** One fact a line, the names in a column; facts without a value are left out. */
export function factsText(facts: [string, string | number | null | undefined][]): string {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...known.map(([name]) => name.length))
  return known.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join('\n')
}

function cellText(value: string | number | null | undefined): string {
  return printable(String(value ?? '')).replaceAll(/\s+/g, ' ')
}
