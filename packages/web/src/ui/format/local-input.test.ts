import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localDay, localInput } from './local-input.ts'

test('writes times and days in the time zone of the person', (context) => {
  const { TZ } = process.env
  context.after(() => {
    if (TZ === undefined) delete process.env['TZ']
    else process.env['TZ'] = TZ
  })
  const time = new Date('2026-12-02T05:30:00Z')
  for (const [zone, input] of [
    ['America/Los_Angeles', '2026-12-01T21:30'],
    ['Pacific/Kiritimati', '2026-12-02T19:30'],
  ] as const) {
    process.env['TZ'] = zone
    assert.equal(localInput(time), input)
    assert.equal(localDay(time), input.slice(0, 10))
  }
})
