type Header = { description: string; required: boolean; schema: object }

const string = { type: 'string' }

/** The documented response headers by component name. */
export const headers = {
  'X-Request-Id': {
    description: 'ID of the request in the server log. Error bodies contain it as `request_id`.',
    required: true,
    schema: string,
  },
  'Quayside-Version': {
    description: 'Version of the server.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', required: false, schema: string },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description:
      'Remaining calls and seconds until reset for each budget, for example `"requests";r=599;t=60`. Absent if there is no limit.',
    required: false,
    schema: string,
  },
  'RateLimit-Policy': {
    description:
      'Quota and window in seconds of each budget, for example `"requests";q=600;w=60`. Absent if there is no limit.',
    required: false,
    schema: string,
  },
  ETag: {
    description: 'Identifies this version of the response. Send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Accel-Buffering': {
    description: 'Prevents nginx from buffering the stream.',
    required: true,
    schema: { const: 'no' },
  },
  Location: {
    description: 'URL of the file, valid for this request only. Absent for HEAD.',
    required: false,
    schema: { type: 'string', pattern: '^https?://' },
  },
  'Set-Cookie': {
    description: 'The session cookie of a person who is signed in by this request.',
    required: false,
    schema: string,
  },
  'Idempotency-Replayed': {
    description:
      '`true` when this is the stored response of an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { const: 'true' },
  },
} satisfies Record<string, Header>

/** Returns references to the named headers, for use in a response object. */
export const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Returns a header that only some of the responses have. */
export const optionalHeader = (name: keyof typeof headers) => ({
  [name]: { ...headers[name], required: false },
})

export const onEveryResponse = ['X-Request-Id', 'Quayside-Version', 'RateLimit', 'RateLimit-Policy'] as const

/** The request header of endpoints whose responses have an ETag. */
export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of an earlier response. The response is 304 without a body if nothing has changed.',
  schema: { type: 'string' },
}
