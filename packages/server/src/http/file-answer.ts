import { Type, type Static } from 'typebox'
import type { Answer } from './idempotency.ts'

/** What an endpoint that `serves` content types answers: a whole small file instead of JSON. */
export const FileAnswer = Type.Unsafe<{ contentType: string; bytes: Buffer }>({
  type: 'string',
  format: 'binary',
})

/** A file that never changes under its URL, to be shown as it is and never as a page. */
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export function fileAnswer(answer: unknown): Answer {
  const { contentType, bytes } = answer as Static<typeof FileAnswer>
  return { status: 200, text: '', file: bytes, headers: { ...fileHeaders, 'content-type': contentType } }
}
