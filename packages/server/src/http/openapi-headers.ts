type Header = { description: string; required: boolean; schema: object }

const textual = { type: 'string' }

/** Headers of answers that mean something to callers, by their name in the components of the document. */
export const headers = {
  'X-Request-Id': {
    description: 'Names the request in our log; errors have it as `request_id` too.',
    required: true,
    schema: textual,
  },
  'WWW-Authenticate': { description: 'How to authenticate.', required: false, schema: textual },
  'Retry-After': {
    description: 'Seconds until the call may succeed.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description: 'What is left of each budget: `"requests";r=599;t=60`; missing where nothing is limited.',
    required: false,
    schema: textual,
  },
  'RateLimit-Policy': {
    description: 'The budgets: `"requests";q=600;w=60`; missing where nothing is limited.',
    required: false,
    schema: textual,
  },
  ETag: {
    description: 'Names exactly this answer; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  Location: {
    description: 'Where the file is, for this one call; missing after HEAD.',
    required: false,
    schema: { type: 'string', pattern: '^https?://' },
  },
  'Idempotency-Replayed': {
    description: '`true`: the first answer to this Idempotency-Key, given again.',
    required: false,
    schema: { const: 'true' },
  },
} satisfies Record<string, Header>

/** References to them, as the headers of an answer. */
export const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const onEveryAnswer = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] as const
