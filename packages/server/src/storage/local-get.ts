import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound, Problem } from '../lib/problem.ts'
import { parseRange } from './byte-range.ts'
import { attachmentDisposition, safeContentType } from './content-disposition.ts'
import type { ByteRange, SealedObject } from './driver.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { describeObject } from './local-objects.ts'
import { requireFirstSegment, readObject } from './local-reader.ts'
import { ClientDisconnected } from './request-body.ts'
import { commonHeaders } from './storage-responses.ts'

/**
 * Sends an object or a range of it as an attachment (RFC 9110, sections 13 and 14). If bytes are missing, closes the
 * connection instead of completing a truncated response.
 */
export async function sendObject(
  context: EndpointContext,
  claims: { key: string; filename: string; contentType: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const object = await context.findObject(claims.key)
  if (object === undefined) throw notFound()
  const etag = entityTag(object)
  const headers = {
    ...commonHeaders,
    'cache-control': 'private, no-transform',
    'content-disposition': attachmentDisposition(claims.filename),
    'content-security-policy': 'sandbox',
    'content-type': safeContentType(claims.contentType),
    etag,
  }
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = request.headers
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) {
    response.writeHead(304, { ...headers, ...acceptRanges }).end()
    return
  }
  if (ifMatch !== undefined && !matchesETag(ifMatch, etag))
    throw new Problem(
      'precondition_failed',
      'storage.changed',
      'The file has changed and no longer matches `If-Match`. Download it again from the start.',
    )
  const range = requestedRange(request, etag, object.sizeBytes)
  await requireStored(context, object, range)
  const status = range === undefined ? 200 : 206
  const length = range === undefined ? object.sizeBytes : range.end - range.start + 1
  const fullHeaders = {
    ...headers,
    ...acceptRanges,
    'content-length': length,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${object.sizeBytes}` }),
  }
  if (request.method === 'HEAD') {
    response.writeHead(status, fullHeaders).end()
    return
  }
  // nginx would compare If-Match with its own ETag of the file.
  const redirect = ifMatch === undefined ? await context.accelerate?.(object) : undefined
  if (redirect !== undefined) {
    response.writeHead(200, { ...headers, 'x-accel-redirect': redirect }).end()
    return
  }
  const chunks = readObject(context.layout, object, range, context.buffers)
  const transfer = context.metrics.startTransfer('download')
  const window = context.sendWindows.open(request.socket)
  try {
    await context.sendTurns()
    // The first bytes are read before the status is sent, so that an unreadable file is reported as an error status.
    let next = await chunks.next()
    response.setTimeout(context.stallLimit.windowSeconds * 1000, () => response.destroy())
    response.writeHead(status, fullHeaders)
    let unsentBytes = length
    while (!next.done) {
      for (let offset = 0; offset < next.value.length;) {
        const end = offset + (await window.acquire(next.value.length - offset))
        await send(response, next.value.buffer.bytes.subarray(offset, end))
        window.add(end - offset)
        offset = end
      }
      transfer.add(next.value.length)
      unsentBytes -= next.value.length
      if (unsentBytes > 0) await context.sendTurns()
      next = await chunks.next()
    }
    response.end()
  } finally {
    window.close()
    transfer.end()
    await chunks.return()
  }
}

/** Omitted from responses that are delegated to nginx, because nginx adds this header itself. */
const acceptRanges = { 'accept-ranges': 'bytes' }

/** Throws 404 if the object has just been deleted, and `DamagedFile` if its first file is missing or resized. */
async function requireStored(
  { layout, findObject }: EndpointContext,
  object: SealedObject,
  range: ByteRange | undefined,
): Promise<void> {
  try {
    await requireFirstSegment(layout, object, range)
  } catch (error) {
    if ((await findObject(object.key)) === undefined) throw notFound()
    throw error
  }
}

/** Sends the bytes. Resolves once the kernel has copied them, so that the caller can reuse their memory. */
const send = (response: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    // While its connection is being closed, Node keeps the bytes of a response and never calls back.
    const onClose = (): void => reject(new ClientDisconnected())
    response.once('close', onClose)
    response.write(bytes, (error) => {
      response.off('close', onClose)
      if (error) reject(new ClientDisconnected(error))
      else resolve()
    })
  })

/** Returns an ETag from the segment names, which identify the bytes because they contain checksums. */
function entityTag({ key, segments }: SealedObject): string {
  const names = segments.map(({ name }) => name).join('\n')
  return `"${describeObject(key, segments).sha256 ?? createHash('sha256').update(names).digest('hex')}"`
}

const matchesETag = (condition: string, etag: string): boolean =>
  condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/**
 * Returns the range that a GET request selects, or undefined for the whole file. If If-Range contains a different ETag
 * or a date, the Range header does not apply (RFC 9110, section 13.1.5).
 */
function requestedRange(
  { method, headers }: IncomingMessage,
  etag: string,
  sizeBytes: number,
): ByteRange | undefined {
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined
  const range = parseRange(headers.range, sizeBytes)
  if (range !== 'unsatisfiable') return range
  throw new Problem(
    'range_not_satisfiable',
    'storage.range_not_satisfiable',
    `The range is outside the file, which has ${sizeBytes} bytes. Request a range within it.`,
    { headers: { 'content-range': `bytes */${sizeBytes}` } },
  )
}
