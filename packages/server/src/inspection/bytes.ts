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

/** Reads the end of a file: `length` bytes, or all of a shorter file. */
export function readTail(source: ByteSource, length: number): Promise<Buffer> {
  const available = Math.min(length, source.sizeBytes)
  return source.read(source.sizeBytes - available, available)
}

/** Returns a source for bytes in memory. */
export const bufferSource = (bytes: Buffer): ByteSource => ({
  sizeBytes: bytes.length,
  read: async (offset, length) => slice(bytes, offset, length),
})

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

/** Returns the text that starts at an offset and ends before a NUL byte or at the end of the buffer. */
export function textAt(buffer: Buffer, offset: number): string {
  const bytes = slice(buffer, offset, buffer.length - offset)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Returns the part of a source that starts at an offset. Throws `InspectionError` with the reason if it is outside. */
export function sourceWithin(
  source: ByteSource,
  offset: number,
  sizeBytes: number,
  reason: string,
): ByteSource {
  if (offset < 0 || sizeBytes < 0 || offset + sizeBytes > source.sizeBytes) throw new InspectionError(reason)
  return {
    sizeBytes,
    read: (at, length) =>
      at < 0 || length < 0 || at + length > sizeBytes
        ? Promise.reject(new InspectionError(reason))
        : source.read(offset + at, length),
  }
}

/** Returns a function that throws `InspectionError` with the reason once the sum of its arguments exceeds `maxBytes`. */
export function byteBudget(maxBytes: number, reason: string): (bytes: number) => void {
  let remainingBytes = maxBytes
  return (bytes) => {
    remainingBytes -= bytes
    if (remainingBytes < 0) throw new InspectionError(reason)
  }
}
