import { Type, type Static } from 'typebox'
import type { ApiResponse } from '../idempotency/idempotency.ts'

/**
 * The response of an endpoint that `serves` content types: a small file instead of JSON. Clients keep it without asking
 * again unless `canChange` is set.
 */
export const FileResponse = Type.Unsafe<{ contentType: string; bytes: Buffer; canChange?: boolean }>({
  type: 'string',
  format: 'binary',
})

// Browsers must never render the file as a page.
const fileHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Converts the `FileResponse` that an endpoint returned to an HTTP response. */
export function fileResponse(result: unknown): ApiResponse {
  const { contentType, bytes, canChange = false } = result as Static<typeof FileResponse>
  const headers = {
    ...fileHeaders,
    'cache-control': canChange ? 'no-cache' : 'public, max-age=31536000, immutable',
    'content-type': contentType,
  }
  return { status: 200, text: '', file: bytes, headers }
}
