import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notFound, Problem, problem, problemCatalogue, type ProblemKind } from './problem.ts'

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

test('creates errors from a definition, with values for its placeholders', () => {
  const cause = new Error('inner')
  const migrationChanged = problem(
    'conflict',
    'test.changed',
    'Migration {name} differs from {applied} ({name}).',
  )
  const created = migrationChanged({ name: '{applied}', applied: 2 }, { cause })
  assert.ok(created instanceof Problem)
  assert.equal(created.message, 'Migration {applied} differs from 2 ({applied}).')
  assert.deepEqual(
    [created.kind, created.status, created.code, created.cause],
    ['conflict', 409, 'test.changed', cause],
  )
  const { kind, status, code, text } = migrationChanged
  assert.deepEqual(
    { kind, status, code, text },
    {
      kind: 'conflict',
      status: 409,
      code: 'test.changed',
      text: 'Migration {name} differs from {applied} ({name}).',
    },
  )
})

test('adds the headers of a definition to every error, unless the error has its own', () => {
  const busy = problem('unavailable', 'test.busy', 'Busy.', { retryAfterSeconds: 5 })
  assert.deepEqual(busy().headers, { 'retry-after': '5' })
  assert.deepEqual(busy({ retryAfterSeconds: 1 }).headers, { 'retry-after': '1' })
})

test('requires a value for each placeholder and no others', () => {
  const sized = problem('conflict', 'test.sized', 'At most {max} bytes.')
  const unsized = problem('conflict', 'test.unsized', 'Too large.')
  // @ts-expect-error The value is missing.
  void (() => sized())
  // @ts-expect-error The value is missing.
  void (() => sized({}))
  // @ts-expect-error The text has no such placeholder.
  void (() => sized({ max: 1, min: 0 }))
  // @ts-expect-error The text has no placeholders.
  void (() => unsized({ max: 1 }))
  const text: string = unsized.text
  // @ts-expect-error The placeholders of a computed text are unknown.
  void (() => problem('conflict', 'test.computed', text))
  assert.equal(sized({ max: 1 }).message, 'At most 1 bytes.')
})

test('lists all texts of a code and rejects a second status unless every definition declares it', () => {
  problem('conflict', 'test.taken', 'This name is taken.')
  problem('conflict', 'test.taken', 'This address is taken.')
  assert.deepEqual(
    problemCatalogue()
      .get('test.taken')
      ?.map(({ text }) => text),
    ['This name is taken.', 'This address is taken.'],
  )
  const two = { hasSeveralStatuses: true } as const
  assert.throws(() => problem('gone', 'test.taken', 'Gone.'), /test\.taken is defined with two statuses/)
  assert.throws(() => problem('gone', 'test.taken', 'Gone.', two), /two statuses/)
  problem('conflict', 'test.two', 'In use.', two)
  problem('gone', 'test.two', 'Gone.', two)
  assert.deepEqual(
    problemCatalogue()
      .get('test.two')
      ?.map(({ status }) => status),
    [409, 410],
  )
})
