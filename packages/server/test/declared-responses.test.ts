import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OnResponse } from '../src/http/server.ts'
import { createResponseChecker } from './declared-responses.ts'

type Received = Parameters<OnResponse>[0]

const faultsOf = createResponseChecker()
const label = {
  id: 'abcdefghjk',
  name: 'Signed',
  description: null,
  color: '#12abef',
  level: 'workspace',
  created_at: '2026-11-21T02:40:11.123456Z',
  updated_at: '2026-11-21T02:40:11.123456Z',
}
const list = { message: 'Labels retrieved.', data: [label] }
const codes: Record<number, string> = {
  401: 'key.unauthorized',
  403: 'scope.missing',
  404: 'resource.not_found',
  429: 'rate.exceeded',
}
const errorOf = (status: number, code = codes[status] ?? 'database.unavailable') => ({
  message: 'Failed.',
  code,
  request_id: 'x',
})
const common = { 'x-request-id': 'x', 'quayside-version': '1.2.3' }
const headers = { ...common, 'content-type': 'application/json; charset=utf-8' }
const route = '/api/v1/workspace/labels'

/** Returns a response from the endpoint that lists labels, with some of its attributes replaced by `changes`. */
const received = (body: unknown, changes: Partial<Received> = {}): Received => ({
  method: 'GET',
  route,
  status: 200,
  headers: { ...headers, etag: '"tag"' },
  text: JSON.stringify(body),
  ...changes,
})
const failure = (status: number, more: Record<string, unknown> = {}, code?: string): Received =>
  received(errorOf(status, code), { status, headers: { ...headers, ...more } })

test('accepts responses that match the OpenAPI document', () => {
  for (const response of [
    received(list),
    received({ ...list, data: [] }),
    received(undefined, { status: 304, text: '', headers: { ...common, etag: '"tag"' } }),
    failure(401, { 'www-authenticate': 'Bearer' }),
    failure(403),
    failure(429, { 'retry-after': '3', ratelimit: '"requests";r=0;t=3' }),
    received(errorOf(404), { route: undefined, status: 404 }),
    received(errorOf(405), { method: 'PUT', status: 405 }),
    received('<!doctype html>', { route: '/api/v1/docs', headers: {} }),
  ])
    assert.deepEqual(faultsOf(response), [])
})

for (const [name, response, pattern] of [
  ['an undeclared status code', failure(418), /418 is not declared for listWorkspaceLabels/],
  ['a 500 response', failure(500), /500 is not declared/],
  ['a 201 response instead of a 200', received(list, { status: 201 }), /201 is not declared/],
  [
    'a 500 response for an unknown path',
    received(errorOf(500), { route: undefined, status: 500 }),
    /500 is not declared for any/,
  ],
  [
    'an error without a message for an unknown path',
    received({}, { route: undefined, status: 404 }),
    /required property/,
  ],
  ['a missing field', received({ data: [] }), /required property 'message'/],
  ['a field of the wrong type', received({ ...list, data: [{ ...label, name: 1 }] }), /name must be string/],
  ['null instead of a string', received({ ...list, data: [{ ...label, id: null }] }), /id must be string/],
  ['an undeclared field', received({ ...list, extra: 1 }), /additional properties/],
  [
    'an undeclared nested field',
    received({ ...list, data: [{ ...label, secret: 1 }] }),
    /additional properties/,
  ],
  ['an error without a message', { ...failure(404), status: 403, text: '{}' }, /required property 'message'/],
  [
    'the body of a successful response with an error status',
    { ...failure(403), text: JSON.stringify(list) },
    /additional properties/,
  ],
  [
    'an undeclared content type',
    received(list, { headers: { ...headers, etag: '"a"', 'content-type': 'text/html' } }),
    /content type text\/html/,
  ],
  ['a body that is not JSON', { ...received(list), text: '<html>' }, /body must be object/],
  ['a missing ETag', received(list, { headers }), /header ETag is missing/],
  ['an ETag without quotes', received(list, { headers: { ...headers, etag: 'tag' } }), /ETag is "tag"/],
  ['a 429 response without a Retry-After header', failure(429), /Retry-After is missing/],
  [
    'a Retry-After header that is not a number',
    failure(503, { 'retry-after': 'soon' }),
    /Retry-After is "soon": data must be integer/,
  ],
  [
    'an undeclared error code',
    failure(401, { 'www-authenticate': 'Bearer' }, 'label.unknown'),
    /the code label\.unknown is not declared/,
  ],
  ['an undeclared header', failure(403, { 'x-debug': '1' }), /the header x-debug is not declared/],
  [
    'a 304 response with a body',
    received(list, { status: 304, headers: { ...headers, etag: '"tag"' } }),
    /the body must be empty/,
  ],
  [
    'an undeclared path',
    received(list, { route: '/api/v1/nowhere/:id' }),
    /GET \/nowhere\/\{id\} is not declared/,
  ],
  [
    'a successful response for an undeclared method',
    received(list, { method: 'PUT' }),
    /PUT .* is not declared/,
  ],
] as [string, Received, RegExp][]) {
  test(`detects ${name}`, () => assert.match(faultsOf(response).join('\n'), pattern))
}
