import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body; an empty body is treated as an empty object. */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return {}
  if (!isJson(contentType))
    throw new Problem('unsupported_media', 'request.not_json', 'Send the body as `application/json`.')
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Problem('bad_request', 'request.bad_json', 'The body is not valid JSON.')
  }
}

// RFC 9110 section 8.3.1: type/subtype, then parameters after semicolons.
function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json[ \t]*(;[^\r\n]*)?$/i.test(contentType)
}

const maxDrainedBytes = 16 * 1024 * 1024

/**
 * Reads and discards the rest of a rejected body: closing the connection while the client is still sending would reset
 * it, and most clients then report the reset instead of the response. Beyond the limit, it is closed anyway.
 */
export function drainRequestBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  let remainingBytes = maxDrainedBytes
  reply.removeHeader('connection')
  raw.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length
    if (remainingBytes < 0) raw.destroy()
  })
}
