import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBufferPool } from './buffer-pool.ts'

const mebibyte = 1024 * 1024

test('keeps the total size of the buffers below 48 MB when a thousand transfers each occupy one', () => {
  const pool = createBufferPool({ largeBufferBytes: mebibyte / 2, maxLargeBuffers: 48 })
  const buffers = Array.from({ length: 1_000 }, () => pool.acquire(64 * mebibyte))
  const totalBytes = buffers.reduce((sum, { bytes }) => sum + bytes.length, 0)
  assert.ok(totalBytes < 48_000_000, `${totalBytes} bytes`)
  assert.equal(new Set(buffers.map(({ memory }) => memory)).size, 1_000)
})

test('returns a released buffer instead of a new or smaller one', () => {
  const pool = createBufferPool({ largeBufferBytes: mebibyte, maxLargeBuffers: 1 })
  const large = pool.acquire(mebibyte)
  const substitute = pool.acquire(mebibyte)
  assert.deepEqual([large.isSubstitute, substitute.isSubstitute], [false, true])
  pool.release(substitute)
  assert.equal(pool.acquire(mebibyte), substitute)
  pool.release(large)
  assert.equal(pool.acquire(mebibyte), large)
})
