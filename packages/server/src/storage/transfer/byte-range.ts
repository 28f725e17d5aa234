import type { ByteRange } from '../driver.ts'

/** The number of ranges that electron-updater requests at once. */
const maxRanges = 1_000

// RFC 9110, section 5.6.1: elements of a list can be empty and surrounded by whitespace.
const rangesHeader = /^bytes=(.*)$/i
const blank = /^[ \t]*$/
const rangeElement = /^[ \t]*(\d*)-(\d*)[ \t]*$/

/**
 * Parses a `Range` header for a file of `sizeBytes` bytes (RFC 9110, section 14). Returns the ranges in the requested
 * order, without those that are outside the file; 'unsatisfiable' if all of them are; or undefined if the whole file
 * must be sent because the header is missing, invalid, uses a unit other than bytes, or requests more than 1,000 ranges
 * or more bytes than the file has.
 */
export function parseRanges(
  header: string | undefined,
  sizeBytes: number,
): ByteRange[] | 'unsatisfiable' | undefined {
  const elements = listElements(header)
  if (elements.length === 0 || elements.length > maxRanges) return undefined
  const ranges: ByteRange[] = []
  let totalBytes = 0
  for (const element of elements) {
    const range = parseElement(element, sizeBytes)
    if (range === 'invalid') return undefined
    if (range === 'unsatisfiable') continue
    ranges.push(range)
    totalBytes += range.end - range.start + 1
  }
  if (ranges.length === 0) return 'unsatisfiable'
  return totalBytes > sizeBytes ? undefined : ranges
}

/** Returns whether a `Range` header requests several ranges, valid or not, which S3 does not support. */
export const requestsSeveralRanges = (header: string | undefined): boolean => listElements(header).length > 1

/**
 * Returns whether the response to a request for a file of this size includes its first byte, as that to an invalid
 * `Range` header does.
 */
export function includesFirstByte(header: string | undefined, sizeBytes: number): boolean {
  const ranges = parseRanges(header, sizeBytes)
  return ranges !== 'unsatisfiable' && (ranges === undefined || ranges.some(({ start }) => start === 0))
}

function listElements(header: string | undefined): string[] {
  const [, list = ''] = rangesHeader.exec(header ?? '') ?? []
  return list.split(',').filter((element) => !blank.test(element))
}

function parseElement(element: string, sizeBytes: number): ByteRange | 'unsatisfiable' | 'invalid' {
  const [, first, last] = rangeElement.exec(element) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'invalid'
  if (first === '') {
    const suffixLength = Math.min(Number(last), sizeBytes)
    return suffixLength === 0 ? 'unsatisfiable' : { start: sizeBytes - suffixLength, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (last !== '' && start > end) return 'invalid'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) }
}
