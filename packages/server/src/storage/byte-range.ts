import type { ByteRange } from './driver.ts'

/**
 * Parses a `Range` header for a file of `sizeBytes` bytes (RFC 9110, section 14). Returns the range; 'unsatisfiable' if
 * the response must be 416; or undefined if the whole file must be sent because the header is missing or invalid, uses
 * a unit other than bytes, or requests several ranges.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const suffixLength = Math.min(Number(last), sizeBytes)
    return suffixLength === 0 ? 'unsatisfiable' : { start: sizeBytes - suffixLength, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (last !== '' && start > end) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) }
}
