import type { IncomingMessage } from 'node:http'
import { problem, type Problem } from '../../lib/problem.ts'
import { readAvailable } from './close-connection.ts'
import { malformedRequest, notJson } from './errors.ts'

export const maxBodyBytes = 1024 * 1024
/** The body size limit for callers without a key, who could otherwise exhaust memory with incomplete bodies. */
export const maxPublicBodyBytes = 32 * 1024

const windowMs = 7_500
const minBytesPerWindow = 7_500
const maxWindows = 4
/** Phones need longer for the screenshots of a form. */
const maxLargeWindows = 16

/**
 * Reads a body. Throws a Problem with status 413 if it is longer than `maxBytes`, or with status 408 if it takes longer
 * than 30 seconds, or two minutes if it may be larger than 1 MiB, or arrives at less than 1 kB per second. Discards the
 * rest of a rejected body.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    let length = 0
    let window = { number: 1, startLength: 0 }
    let timer = setTimeout(() => void endWindow(), windowMs)
    let isSettled = false

    function settle(done: () => void): void {
      isSettled = true
      clearTimeout(timer)
      request.off('data', add).off('end', end).off('error', fail).off('close', fail)
      done()
    }
    function add(chunk: Buffer): void {
      if (length + chunk.length > maxBytes) return settle(() => reject(tooLarge(maxBytes)))
      // All chunks are copied into one buffer, because storing one-byte chunks separately would need about a hundred
      // times as much memory as the body.
      if (length + chunk.length > bytes.length) {
        const size = Math.min(maxBytes, Math.max(2 * bytes.length, length + chunk.length))
        bytes = Buffer.concat([bytes.subarray(0, length)], size)
      }
      length += chunk.copy(bytes, length)
    }
    const end = () => settle(() => resolve(bytes.subarray(0, length)))
    const fail = () => settle(() => reject(malformedRequest()))
    const lastWindow = maxBytes > maxBodyBytes ? maxLargeWindows : maxWindows
    const isTooSlow = () => window.number >= lastWindow || length - window.startLength < minBytesPerWindow

    async function endWindow(): Promise<void> {
      if (isTooSlow()) await readAvailable()
      if (isSettled) return
      if (isTooSlow()) return settle(() => reject(tooSlow()))
      window = { number: window.number + 1, startLength: length }
      timer = setTimeout(() => void endWindow(), windowMs)
    }
    request.on('data', add).on('end', end).on('error', fail).on('close', fail)
  })
}

/** Throws if the declared length of the body exceeds the limit. */
export function requireDeclaredLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

function tooLarge(maxBytes: number): Problem {
  const limit = maxBytes < maxBodyBytes ? `${maxBytes / 1024} KiB` : `${maxBytes / maxBodyBytes} MiB`
  return bodyTooLarge({ limit })
}

const bodyTooLarge = problem(
  'too_large',
  'request.too_large',
  'The body is larger than {limit}. Send a smaller one.',
)

const tooSlow = problem(
  'timeout',
  'request.timeout',
  'The body did not arrive in time. Send it within 30 seconds and at 1 kB per second or faster.',
)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body; an empty body is treated as an empty object. */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return {}
  if (!isJson(contentType)) throw notJson()
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw badJson()
  }
}

const badJson = problem(
  'bad_request',
  'request.bad_json',
  'The body is not valid JSON. Send a UTF-8 encoded JSON document.',
)

// A media type consists of type/subtype, optionally followed by parameters after semicolons (RFC 9110, section 8.3.1).
function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json[ \t]*(;[^\r\n]*)?$/i.test(contentType)
}

export const bodyProblems = [badJson, tooSlow, bodyTooLarge, notJson]
