import { Type, type Static } from 'typebox'
import type { ApiResponse } from '../idempotency/idempotency.ts'

/** The response of an endpoint that `serves` content types: a small file instead of JSON. */
export const FileResponse = Type.Unsafe<{ contentType: string; bytes: Buffer }>({
  type: 'string',
  format: 'binary',
})

// The file at a URL never changes, and browsers must never render it as a page.
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Converts the `FileResponse` that an endpoint returned to an HTTP response. */
export function fileResponse(result: unknown): ApiResponse {
  const { contentType, bytes } = result as Static<typeof FileResponse>
  return { status: 200, text: '', file: bytes, headers: { ...fileHeaders, 'content-type': contentType } }
}
