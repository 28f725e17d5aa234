import assert from 'node:assert/strict'

export type ReceivedPart = { start: number; end: number; totalBytes: number; bytes: Buffer }

/**
 * Parses a `multipart/byteranges` response as strictly as the differential download of electron-updater, which accepts
 * only one header block of each part, parts in the requested order and exact lengths.
 */
export async function receiveParts(response: Response): Promise<ReceivedPart[]> {
  assert.equal(response.status, 206)
  const type = response.headers.get('content-type') ?? ''
  const [, boundary = ''] = /^multipart\/byteranges; boundary=([0-9A-Za-z]{1,70})$/.exec(type) ?? []
  assert.notEqual(boundary, '', type)
  assert.equal(response.headers.get('content-range'), null)
  const body = Buffer.from(await response.arrayBuffer())
  assert.equal(response.headers.get('content-length'), String(body.length))
  const parts: ReceivedPart[] = []
  let delimiter = `--${boundary}`
  let at = 0
  for (;;) {
    assert.equal(body.toString('latin1', at, at + delimiter.length), delimiter)
    at += delimiter.length
    delimiter = `\r\n--${boundary}`
    if (body.toString('latin1', at) === '--\r\n') return parts
    const end = body.indexOf('\r\n\r\n', at)
    assert.ok(end > at)
    const [first, ...headers] = body.toString('latin1', at, end).split('\r\n')
    assert.equal(first, '')
    assert.deepEqual(
      headers.map((header) => header.split(':', 1)[0]?.toLowerCase()),
      ['content-type', 'content-range'],
    )
    const range = /^Content-Range: bytes (\d+)-(\d+)\/(\d+)$/.exec(headers[1] ?? '')
    const [start = 0, last = 0, totalBytes = 0] = range?.slice(1).map(Number) ?? []
    at = end + 4
    const length = last - start + 1
    assert.ok(length > 0 && at + length <= body.length)
    parts.push({ start, end: last, totalBytes, bytes: body.subarray(at, at + length) })
    at += length
  }
}

/** Asserts that the parts are these ranges, with both ends inclusive, of `whole` in the same order. */
export function assertRanges(
  parts: ReceivedPart[],
  ranges: readonly (readonly [number, number])[],
  whole: Uint8Array,
): void {
  assert.deepEqual(
    parts.map(({ start, end }) => [start, end]),
    ranges,
  )
  for (const { start, end, totalBytes, bytes } of parts) {
    assert.equal(totalBytes, whole.length)
    assert.ok(bytes.equals(whole.subarray(start, end + 1)), `${start}-${end}`)
  }
}
