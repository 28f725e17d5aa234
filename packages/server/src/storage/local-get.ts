import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '../lib/problem.ts'
import { commonHeaders, refuse } from './answers.ts'
import { parseRange } from './byte-range.ts'
import { attachmentDisposition, safeContentType } from './content-disposition.ts'
import type { SealedObject } from './driver.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { isCode } from './local-layout.ts'
import { describeObject } from './local-objects.ts'
import { readPieces } from './local-reader.ts'
import { piecesOf } from './segments.ts'

/** Sends an object or a range of it (RFC 9110 sections 13 and 14): always an attachment, never fewer bytes than announced. */
export async function sendObject(
  parts: EndpointParts,
  claims: { key: string; filename: string; contentType: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const object = await parts.lookup(claims.key)
  if (object === undefined) throw notFound()
  const etag = entityTag(object)
  const headers = {
    ...commonHeaders,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'content-disposition': attachmentDisposition(claims.filename),
    'content-security-policy': 'sandbox',
    'content-type': safeContentType(claims.contentType),
    etag,
  }
  const condition = request.headers['if-none-match']
  if (condition !== undefined && matches(condition, etag)) {
    response.writeHead(304, headers).end()
    return
  }
  if (request.headers['if-match'] !== undefined && !matches(request.headers['if-match'], etag)) {
    refuse(request, response, {
      status: 412,
      code: 'storage.changed',
      message: 'The file is another one.',
      headers: {},
    })
    return
  }
  const range = wantsRange(request, etag) ? parseRange(request.headers.range, object.sizeBytes) : undefined
  if (range === 'unsatisfiable') {
    refuse(request, response, {
      status: 416,
      code: 'storage.range_not_satisfiable',
      message: `The file has ${object.sizeBytes} bytes.`,
      headers: { 'content-range': `bytes */${object.sizeBytes}` },
    })
    return
  }
  const status = range === undefined ? 200 : 206
  const announced = {
    ...headers,
    'content-length': range === undefined ? object.sizeBytes : range.end - range.start + 1,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${object.sizeBytes}` }),
  }
  if (request.method === 'HEAD') {
    response.writeHead(status, announced).end()
    return
  }
  const [only, ...more] = object.segments
  if (parts.acceleratedLocation !== undefined && only !== undefined && more.length === 0) {
    const path = `objects/${object.key.slice(-2)}/${object.key}/${only.name}`
    response.writeHead(200, { ...headers, 'x-accel-redirect': `${parts.acceleratedLocation}${path}` }).end()
    return
  }
  const { folder } = parts.layout.objects(object.key)
  const chunks = readPieces(folder, piecesOf(object, range), parts.slabs)
  try {
    // The first bytes are read before the status goes out, so that an unreadable file is an error and not a broken 200.
    let step = await chunks.next().catch((error: unknown) => {
      parts.log.error({ err: error, key: object.key }, 'a sealed object cannot be read')
      throw isCode(error, 'ENOENT') ? notFound() : error
    })
    response.setTimeout(parts.patience.windowSeconds * 1000, () => response.destroy())
    response.writeHead(status, announced)
    for (; !step.done; step = await chunks.next())
      await send(response, step.value.bytes.subarray(0, step.value.length))
    response.end()
  } finally {
    await chunks.return()
  }
}

/** Resolves when the bytes are with the kernel: the memory may then be used again. */
const send = (response: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** Objects never change, so that the names of their segments, which carry checksums, are as good as a hash of the bytes. */
function entityTag({ key, segments }: SealedObject): string {
  const names = segments.map(({ name }) => name).join('\n')
  return `"${describeObject(key, segments).sha256 ?? createHash('sha256').update(names).digest('hex')}"`
}

const matches = (condition: string, etag: string): boolean =>
  condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** RFC 9110 section 13.1.5: another version under If-Range, or a date, means the whole file. */
function wantsRange({ method, headers }: IncomingMessage, etag: string): boolean {
  const condition = headers['if-range']
  return method === 'GET' && (condition === undefined || condition === etag)
}
