import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDuration } from './duration.ts'

for (const [text, expected] of Object.entries({
  '00:15:30': '00:15:30',
  '15:30': '00:15:30',
  '123:04:05': '123:04:05',
  '15m30s': '00:15:30',
  '1h 2m 3s': '01:02:03',
  '1 hour, 2 min': '01:02:00',
  '2d': '48:00:00',
  PT15M30S: '00:15:30',
  P1DT1S: '24:00:01',
  '930': '00:15:30',
  '930.7': '00:15:30',
  '12.5s': '00:00:12',
  '0': '00:00:00',
})) {
  const name =
    text === expected
      ? `accepts the duration ${text} unchanged`
      : `converts "${text}" to the duration ${expected}`
  test(name, () => assert.equal(readDuration(text), expected))
}

for (const text of [
  '',
  ' ',
  'soon',
  '1:60:00',
  '1:00:61',
  'P',
  'PT',
  '-5',
  '1e9',
  '::',
  'h',
  '9999999999999',
  '\u0663m',
]) {
  test(`rejects ${JSON.stringify(text)} as a duration`, () => assert.equal(readDuration(text), undefined))
}

test('returns undefined or a duration in HH:MM:SS format for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789:hmsdPT. ,'.split('')) }), (text) => {
      const read = readDuration(text)
      if (read !== undefined) assert.match(read, /^\d{2,6}:[0-5]\d:[0-5]\d$/)
    }),
    { numRuns: 5000 },
  )
})
