import type { IncomingMessage } from 'node:http'
import { problem } from '../../lib/problem.ts'
import type { ByteRange, SealedObject } from '../driver.ts'
import { parseRanges } from './byte-range.ts'
import { attachmentDisposition, safeContentType } from './content-disposition.ts'
import { describeMultipart, type MultipartBody } from './multipart-ranges.ts'
import { commonHeaders } from './storage-responses.ts'

/** Omitted from responses that are delegated to nginx, because nginx adds this header itself. */
export const acceptRanges = { 'accept-ranges': 'bytes' }

type File = { filename: string; contentType: string }

/** Returns the headers of every response that describes the file. */
export const fileHeaders = ({ filename, contentType }: File, etag: string): Record<string, string> => ({
  ...commonHeaders,
  'cache-control': 'private, no-transform',
  'content-disposition': attachmentDisposition(filename),
  'content-security-policy': 'sandbox',
  'content-type': safeContentType(contentType),
  etag,
})

/**
 * Evaluates the conditions of a request (RFC 9110, section 13). Returns whether the response must be 304. Throws 412 if
 * the file does not match `If-Match`.
 */
export function isNotModified({ headers }: IncomingMessage, etag: string): boolean {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = headers
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) return true
  if (ifMatch !== undefined && !matchesETag(ifMatch, etag)) throw fileChanged()
  return false
}

const fileChanged = problem(
  'precondition_failed',
  'storage.changed',
  'The file has changed and no longer matches `If-Match`. Download it again from the start.',
)

const matchesETag = (condition: string, etag: string): boolean =>
  condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/**
 * Returns the ranges that a GET request selects, or undefined for the whole file. If If-Range contains a different ETag
 * or a date, the Range header does not apply (RFC 9110, section 13.1.5). Throws 416 if all ranges are outside the file.
 */
export function requestedRanges(
  { method, headers }: IncomingMessage,
  etag: string,
  sizeBytes: number,
): ByteRange[] | undefined {
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined
  const ranges = parseRanges(headers.range, sizeBytes)
  if (ranges !== 'unsatisfiable') return ranges
  throw rangeNotSatisfiable({ sizeBytes }, { headers: { 'content-range': `bytes */${sizeBytes}` } })
}

const rangeNotSatisfiable = problem(
  'range_not_satisfiable',
  'storage.range_not_satisfiable',
  'The range is outside the file, which has {sizeBytes} bytes. Request a range within it.',
)

type DownloadBody = {
  status: 200 | 206
  headers: Record<string, string | number>
  sizeBytes: number
  /** What surrounds the ranges if there are several. */
  multipart: MultipartBody | undefined
}

/** Describes the body of a response with the whole file, one range, or several ranges as `multipart/byteranges`. */
export function describeBody(
  object: Pick<SealedObject, 'sizeBytes'>,
  ranges: ByteRange[] | undefined,
  contentType: string,
): DownloadBody {
  const [first, ...others] = ranges ?? []
  if (first === undefined) {
    const { sizeBytes } = object
    return { status: 200, headers: { 'content-length': sizeBytes }, sizeBytes, multipart: undefined }
  }
  if (others.length === 0) {
    const sizeBytes = first.end - first.start + 1
    const contentRange = `bytes ${first.start}-${first.end}/${object.sizeBytes}`
    const headers = { 'content-length': sizeBytes, 'content-range': contentRange }
    return { status: 206, headers, sizeBytes, multipart: undefined }
  }
  const file = { contentType: safeContentType(contentType), sizeBytes: object.sizeBytes }
  const multipart = describeMultipart([first, ...others], file)
  const { sizeBytes, type } = multipart
  return { status: 206, headers: { 'content-length': sizeBytes, 'content-type': type }, sizeBytes, multipart }
}
