import { Problem } from '../lib/problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body; nothing sent counts as an empty object. */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return {}
  if (!isJson(contentType))
    throw new Problem('unsupported_media', 'request.not_json', 'Send the body as application/json.')
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Problem('bad_request', 'request.bad_json', 'The body is not valid JSON.')
  }
}

// RFC 9110 section 8.3.1: type/subtype, then parameters behind semicolons.
function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json[ \t]*(;[^\r\n]*)?$/i.test(contentType)
}
