import { InspectionError, type ByteSource } from './inspection.ts'

/**
 * Returns part of a buffer. Unlike `subarray`, throws a RangeError if the range exceeds the buffer.
 */
export function slice(buffer: Buffer, start: number, length: number): Buffer {
  if (start < 0 || length < 0 || start + length > buffer.length)
    throw new RangeError('The range is outside the buffer.')
  return buffer.subarray(start, start + length)
}

/**
 * Runs a parser for untrusted bytes. Reading beyond the end of a buffer throws a RangeError, which becomes an
 * `InspectionError` with this reason.
 */
export function parseOr<T>(reason: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RangeError) throw new InspectionError(reason, { cause: error })
    throw error
  }
}

/** Resolves to the value of the promise, or to null if it rejects with `InspectionError`. */
export async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof InspectionError) return null
    throw error
  }
}

/** Returns the result of the parser, or null if the bytes cannot be parsed. */
export function parseOrNull<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InspectionError || error instanceof RangeError) return null
    throw error
  }
}

/** Reads bytes of a file. Throws `InspectionError` with the reason if the range exceeds the file. */
export function readBytes(
  source: ByteSource,
  offset: number,
  length: number,
  reason: string,
): Promise<Buffer> {
  const isInside =
    Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && offset + length <= source.sizeBytes
  if (!isInside) return Promise.reject(new InspectionError(reason))
  return source.read(offset, length)
}

/** Reads the beginning of a file: `length` bytes, or all of a shorter file. */
export function readHead(source: ByteSource, length: number): Promise<Buffer> {
  return source.read(0, Math.min(length, source.sizeBytes))
}

/** Returns an unsigned 64-bit number. Throws a RangeError if JavaScript cannot represent it exactly. */
export function readUint64(buffer: Buffer, offset: number, endian: 'LE' | 'BE'): number {
  const value = endian === 'LE' ? buffer.readBigUInt64LE(offset) : buffer.readBigUInt64BE(offset)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('The number is too large.')
  return Number(value)
}

/** Replaces control characters with spaces, and trims and truncates the text. Returns null if it is empty. */
export function cleanText(text: string | null | undefined, maxLength = 255): string | null {
  // PostgreSQL stores neither NUL nor unpaired surrogates in JSON.
  const clean = text
    ?.toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
  return clean || null
}
