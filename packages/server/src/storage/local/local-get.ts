import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { notFound } from '../../lib/problem.ts'
import type { ByteRange, SealedObject } from '../driver.ts'
import {
  acceptRanges,
  describeBody,
  fileHeaders,
  isNotModified,
  requestedRanges,
} from '../transfer/download-response.ts'
import { joinMultipart, type MultipartBody, type RangeBytes } from '../transfer/multipart-ranges.ts'
import { sendChunks } from '../transfer/send-chunks.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { describeObject } from './local-objects.ts'
import { requireFirstSegment, readObject } from './local-reader.ts'

/**
 * Sends an object or ranges of it as an attachment (RFC 9110, sections 13 and 14). If bytes are missing, closes the
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
  const headers = fileHeaders(claims, etag)
  if (isNotModified(request, etag)) {
    response.writeHead(304, { ...headers, ...acceptRanges }).end()
    return
  }
  const ranges = requestedRanges(request, etag, object.sizeBytes)
  await requireStored(context, object, ranges?.[0])
  const body = describeBody(object, ranges, claims.contentType)
  const allHeaders = { ...headers, ...acceptRanges, ...body.headers }
  if (request.method === 'HEAD') {
    response.writeHead(body.status, allHeaders).end()
    return
  }
  // nginx would compare If-Match with its own ETag of the file, and many configurations limit the number of ranges.
  const canDelegate = request.headers['if-match'] === undefined && body.multipart === undefined
  const redirect = canDelegate ? await context.accelerate?.(object) : undefined
  if (redirect !== undefined) {
    response.writeHead(200, { ...headers, 'x-accel-redirect': redirect }).end()
    return
  }
  const chunks = readChunks(context, object, ranges, body.multipart)
  await sendChunks(context, request, response, { ...body, headers: allHeaders, chunks })
}

async function* readChunks(
  context: EndpointContext,
  object: SealedObject,
  ranges: ByteRange[] | undefined,
  multipart: MultipartBody | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (ranges === undefined || multipart === undefined) yield* readRange(context, object, ranges?.[0])
  else yield* joinMultipart(multipart, readRanges(context, object, ranges))
}

async function* readRanges(
  context: EndpointContext,
  object: SealedObject,
  ranges: ByteRange[],
): AsyncGenerator<RangeBytes> {
  for (const [index, range] of ranges.entries())
    for await (const bytes of readRange(context, object, range)) yield { index, bytes }
}

async function* readRange(
  { layout, buffers }: EndpointContext,
  object: SealedObject,
  range: ByteRange | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { buffer, length } of readObject(layout, object, range, buffers))
    yield buffer.bytes.subarray(0, length)
}

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

/** Returns an ETag from the segment names, which identify the bytes because they contain checksums, and the ranges. */
function entityTag(object: SealedObject): string {
  const { segments, ranges } = object
  const names = segments.map(({ name }) => name).join('\n')
  const text = ranges === undefined ? names : `${names}\n${JSON.stringify(ranges)}`
  return `"${describeObject(object).sha256 ?? createHash('sha256').update(text).digest('hex')}"`
}
