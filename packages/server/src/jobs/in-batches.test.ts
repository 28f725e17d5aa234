import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBatches } from './in-batches.ts'

function createRows(size: number, afterEach = () => {}) {
  let left = size
  const take = async (limit: number) => {
    const taken = Math.min(limit, left)
    left -= taken
    afterEach()
    return taken
  }
  return { take, left: () => left }
}

test('processes every row in batches and returns the number of rows', async () => {
  for (const size of [0, 1, 9, 10, 11, 30]) {
    const { take, left } = createRows(size)
    assert.equal(await inBatches(10, take), size)
    assert.equal(left(), 0)
  }
})

test('finishes the current batch but does not start another when the service stops', async () => {
  const stopping = new AbortController()
  const { take, left } = createRows(1_000, () => left() <= 980 && stopping.abort())
  assert.equal(await inBatches(10, take, stopping.signal), 20)
  assert.equal(left(), 980)
  assert.equal(await inBatches(10, take, stopping.signal), 0)
  assert.equal(await inBatches(10, take), 980)
})
