import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OnAnswer } from '../src/http/server.ts'
import { createDeclaredAnswers } from './declared-answers.ts'

type Given = Parameters<OnAnswer>[0]

const faultsOf = createDeclaredAnswers()
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
const error = { message: 'Not found.', code: 'resource.not_found', request_id: 'x' }
const headers = { 'x-request-id': 'x', 'content-type': 'application/json; charset=utf-8' }
const route = '/api/v1/workspace/labels'

/** An answer to the list of labels. */
const given = (body: unknown, changes: Partial<Given> = {}): Given => ({
  method: 'GET',
  route,
  status: 200,
  headers: { ...headers, etag: '"tag"' },
  text: JSON.stringify(body),
  ...changes,
})
const failed = (status: number, more: Record<string, unknown> = {}): Given =>
  given(error, { status, headers: { ...headers, ...more } })

test('answers as they are declared, nothing to say', () => {
  for (const one of [
    given(list),
    given({ ...list, data: [] }),
    given(undefined, { status: 304, text: '', headers: { 'x-request-id': 'x', etag: '"tag"' } }),
    failed(401, { 'www-authenticate': 'Bearer' }),
    failed(403),
    failed(429, { 'retry-after': '3', ratelimit: '"requests";r=0;t=3' }),
    given(error, { route: undefined, status: 404 }),
    given(error, { method: 'PUT', status: 405 }),
    given('<!doctype html>', { route: '/api/v1/docs', headers: {} }),
  ])
    assert.deepEqual(faultsOf(one), [])
})

for (const [what, answer, says] of [
  ['a status that is not declared', failed(418), /does not declare 418 for listWorkspaceLabels/],
  ['a 500', failed(500), /does not declare 500/],
  ['201 where 200 is declared', given(list, { status: 201 }), /does not declare 201/],
  ['a 500 outside of all endpoints', given(error, { route: undefined, status: 500 }), /500 for anything/],
  [
    'an error without words outside of them',
    given({}, { route: undefined, status: 404 }),
    /required property/,
  ],
  ['a field that is missing', given({ data: [] }), /required property 'message'/],
  ['a field of the wrong type', given({ ...list, data: [{ ...label, name: 1 }] }), /name must be string/],
  ['null where a text is due', given({ ...list, data: [{ ...label, id: null }] }), /id must be string/],
  ['a field nobody declared', given({ ...list, extra: 1 }), /additional properties/],
  [
    'one nobody declared within',
    given({ ...list, data: [{ ...label, secret: 1 }] }),
    /additional properties/,
  ],
  ['an error without a message', { ...failed(404), status: 403, text: '{}' }, /required property 'message'/],
  ['a success in place of an error', { ...failed(403), text: JSON.stringify(list) }, /additional properties/],
  [
    'another content type',
    given(list, { headers: { ...headers, etag: '"a"', 'content-type': 'text/html' } }),
    /content type text\/html/,
  ],
  ['no JSON', { ...given(list), text: '<html>' }, /answer must be object/],
  ['no ETag', given(list, { headers }), /header ETag is missing/],
  ['an ETag without quotes', given(list, { headers: { ...headers, etag: 'tag' } }), /ETag is "tag"/],
  ['429 without Retry-After', failed(429), /Retry-After is missing/],
  [
    'Retry-After that is no number',
    failed(503, { 'retry-after': 'soon' }),
    /Retry-After is "soon": data must be integer/,
  ],
  ['a header nobody declared', failed(403, { 'x-debug': '1' }), /does not declare the header x-debug/],
  [
    'a body with a 304',
    given(list, { status: 304, headers: { ...headers, etag: '"tag"' } }),
    /a body where none is/,
  ],
  [
    'an endpoint that is not in it',
    given(list, { route: '/api/v1/nowhere/:id' }),
    /says nothing of GET \/nowhere\/\{id\}/,
  ],
  ['a success for a method that is not in it', given(list, { method: 'PUT' }), /says nothing of PUT/],
] as [string, Given, RegExp][]) {
  test(`${what}, said`, () => assert.match(faultsOf(answer).join('\n'), says))
}
