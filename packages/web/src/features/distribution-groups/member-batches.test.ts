import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberBatches } from './member-batches.ts'

test('changes as many members at once as the API takes', () => {
  const emails = Array.from({ length: 2001 }, (_, index) => `tester${index}@example.com`)
  const batches = memberBatches('g1', emails)
  assert.deepEqual(
    batches.map(({ body }) => body.emails.length),
    [1000, 1000, 1],
  )
  assert.deepEqual(
    batches.flatMap(({ body }) => body.emails),
    emails,
  )
  assert.deepEqual(memberBatches('g1', []), [])
})
