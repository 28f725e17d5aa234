import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notFound, Problem, type ProblemKind } from './problem.ts'

const statuses: readonly (readonly [ProblemKind, number])[] = [
  ['bad_request', 400],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['timeout', 408],
  ['conflict', 409],
  ['gone', 410],
  ['too_large', 413],
  ['unsupported_media', 415],
  ['invalid', 422],
  ['too_many', 429],
  ['unavailable', 503],
  ['out_of_space', 507],
]

for (const [kind, status] of statuses) {
  test(`maps the problem kind ${kind} to status ${status}`, () => {
    assert.equal(new Problem(kind, 'thing.reason', 'A reason.').status, status)
  })
}

test('creates an Error with a code, a message, field errors and a cause', () => {
  const cause = new Error('inner')
  const problem = new Problem('invalid', 'build.version', 'Bad version.', {
    errors: { version: ['No.'] },
    cause,
  })
  assert.ok(problem instanceof Error)
  assert.equal(problem.name, 'Problem')
  assert.equal(problem.code, 'build.version')
  assert.equal(problem.message, 'Bad version.')
  assert.deepEqual(problem.errors, { version: ['No.'] })
  assert.equal(problem.cause, cause)
})

test('adds a Retry-After header to the other headers when retryAfterSeconds is given', () => {
  const headers = { 'www-authenticate': 'Bearer' }
  const problem = new Problem('unavailable', 'database.unavailable', 'Later.', {
    retryAfterSeconds: 5,
    headers,
  })
  assert.deepEqual(problem.headers, { 'www-authenticate': 'Bearer', 'retry-after': '5' })
  assert.deepEqual(headers, { 'www-authenticate': 'Bearer' })
  assert.deepEqual(new Problem('conflict', 'a.b', 'No.').headers, {})
})

test('creates a generic resource.not_found error with notFound', () => {
  const { kind, code, message, errors, headers } = notFound()
  assert.deepEqual(
    { kind, code, message, errors, headers },
    { kind: 'not_found', code: 'resource.not_found', message: 'Not found.', errors: undefined, headers: {} },
  )
})
