import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterOf } from './rate-limit.ts'

const nowMs = 1_700_000_000_000

test('reads how long to wait from the headers of a rate limit', () => {
  const table: [Record<string, string>, string | null][] = [
    [{ 'retry-after': '7' }, '7'],
    [{ 'retry-after': 'Wed, 15 Nov 2023 00:00:00 GMT' }, 'Wed, 15 Nov 2023 00:00:00 GMT'],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000030' }, '30'],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '1700000002' }, '2'],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1600000000' }, '1'],
    [{ 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1700000030' }, null],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, null],
    [{}, null],
  ]
  for (const [headers, expected] of table)
    assert.equal(
      retryAfterOf((name) => headers[name], nowMs),
      expected,
      JSON.stringify(headers),
    )
})
