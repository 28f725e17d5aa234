import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { suggestions, utcTime } from './schedule-times.ts'

const zone = process.env['TZ']
after(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test('shows midnight as the beginning of a day', () => {
  assert.equal(utcTime(new Date('2026-12-01T00:05:00Z')), 'Dec 1, 2026, 00:05')
  assert.equal(utcTime(new Date('2026-12-01T13:00:00Z')), 'Dec 1, 2026, 13:00')
})

for (const [name, now, expected] of [
  ['is the next day after a day of 25 hours', '2026-10-24T22:15:00Z', '2026-10-26T08:00:00.000Z'],
  ['is the next day before a day of 23 hours', '2026-03-28T22:30:00Z', '2026-03-29T07:00:00.000Z'],
  ['is the next day on other days', '2026-11-30T22:59:00Z', '2026-12-01T08:00:00.000Z'],
] as const)
  test(`tomorrow ${name}`, () => {
    process.env['TZ'] = 'Europe/Berlin'
    const tomorrow = suggestions(new Date(now)).find(({ label }) => label.startsWith('Tomorrow'))
    assert.equal(tomorrow?.at.toISOString(), expected)
  })
