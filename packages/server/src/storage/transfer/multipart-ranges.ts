import { randomBytes } from 'node:crypto'
import type { ByteRange } from '../driver.ts'

export type MultipartBody = {
  /** The Content-Type of the response. */
  type: string
  sizeBytes: number
  /** Returns the delimiter and the headers before a part. All of them together would occupy 250 KB while they are sent. */
  headOf: (index: number) => Buffer
  end: Buffer
}

/** Consecutive bytes of the range with this index. Ranges are complete and in order. */
export type RangeBytes = { index: number; bytes: Uint8Array }

/** Pieces below this size are joined, because each write is at least one packet. */
const maxJoinedBytes = 16 * 1024

/** Returns what surrounds the ranges in a `multipart/byteranges` body (RFC 9110, section 14.6). */
export function describeMultipart(
  ranges: ByteRange[],
  { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
): MultipartBody {
  const boundary = randomBytes(16).toString('hex')
  const headOf = (index: number): Buffer => {
    const { start, end } = ranges[index] ?? { start: 0, end: 0 }
    // Parsers of updaters expect the first delimiter at the start of the body.
    const delimiter = `${index === 0 ? '' : '\r\n'}--${boundary}`
    return Buffer.from(
      `${delimiter}\r\nContent-Type: ${contentType}\r\nContent-Range: bytes ${start}-${end}/${sizeBytes}\r\n\r\n`,
    )
  }
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const bodyBytes = ranges.reduce(
    (sum, range, index) => sum + headOf(index).length + range.end - range.start + 1,
    end.length,
  )
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    sizeBytes: bodyBytes,
    headOf,
    end,
  }
}

/** Yields the body. A chunk is valid until the caller requests the next one. */
export async function* joinMultipart(
  { headOf, end }: Pick<MultipartBody, 'headOf' | 'end'>,
  pieces: AsyncIterable<RangeBytes>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const joined = Buffer.allocUnsafe(maxJoinedBytes)
  let length = 0
  for await (const bytes of withHeads({ headOf, end }, pieces)) {
    if (length + bytes.length > joined.length) {
      if (length > 0) yield joined.subarray(0, length)
      length = 0
    }
    if (bytes.length > joined.length) yield bytes
    else {
      joined.set(bytes, length)
      length += bytes.length
    }
  }
  if (length > 0) yield joined.subarray(0, length)
}

async function* withHeads(
  { headOf, end }: Pick<MultipartBody, 'headOf' | 'end'>,
  pieces: AsyncIterable<RangeBytes>,
): AsyncGenerator<Uint8Array> {
  let sentHeads = 0
  for await (const { index, bytes } of pieces) {
    for (; sentHeads <= index; sentHeads++) yield headOf(sentHeads)
    yield bytes
  }
  yield end
}
