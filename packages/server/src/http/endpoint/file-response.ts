import { Type, type Static } from 'typebox'
import type { ApiResponse } from '../idempotency/idempotency.ts'

/**
 * The response of an endpoint that `serves` content types: a small file instead of JSON. Clients keep it without asking
 * again unless one of the options is set.
 */
export const FileResponse = Type.Unsafe<{
  contentType: string
  bytes: Buffer
  /** Whether clients ask each time whether the file has changed. */
  canChange?: boolean
  /** Whether only callers with the same access may see the file. */
  isPrivate?: boolean
}>({
  type: 'string',
  format: 'binary',
})

// Browsers must never render the file as a page.
const fileHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const privateHeaders = {
  'cache-control': 'private, no-store',
  'cross-origin-resource-policy': 'same-origin',
}

/** Converts the `FileResponse` that an endpoint returned to an HTTP response. */
export function fileResponse(result: unknown): ApiResponse {
  const { contentType, bytes, canChange = false, isPrivate = false } = result as Static<typeof FileResponse>
  const headers = {
    ...fileHeaders,
    'cache-control': canChange ? 'no-cache' : 'public, max-age=31536000, immutable',
    ...(isPrivate ? privateHeaders : {}),
    'content-type': contentType,
  }
  return { status: 200, text: '', file: bytes, headers }
}
