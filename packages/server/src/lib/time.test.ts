import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTime } from './time.ts'

for (const [text, expected] of Object.entries({
  '2026-11-21': '2026-11-21T00:00:00Z',
  '2026-11-21T02:40:11.123456Z': '2026-11-21T02:40:11.123456Z',
  '2026-11-21T02:40:11': '2026-11-21T02:40:11Z',
  '2026-11-21 02:40:11+05:30': '2026-11-21 02:40:11+05:30',
  '2026-11-21T02:40:11,5Z': '2026-11-21T02:40:11.5Z',
  '2024-02-29': '2024-02-29T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z': '9999-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59+14:00': '9999-12-31T23:59:59+14:00',
  '0001-01-01T00:00:00-00:01': '0001-01-01T00:00:00-00:01',
})) {
  const name =
    text === expected
      ? `accepts the timestamp ${text} unchanged`
      : `converts the timestamp ${text} to ${expected}`
  test(name, () => assert.equal(readTime(text), expected))
}

for (const text of [
  '',
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '0000-01-01',
  '2026-11-21T24:00:00Z',
  '2026-11-21T10:60:00Z',
  '2026-11-21T10:00:00+15:00',
  '2026-11-21T10:00:00+14:60',
  '12026-11-21',
  '9999-12-31T23:59:59-00:01',
  '0001-01-01T00:00:00+14:00',
  '2026-11-21Z',
  '1795236728525',
]) {
  test(`rejects ${JSON.stringify(text)} as a timestamp`, () => assert.equal(readTime(text), undefined))
}
