import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'

describe('secrets in settings', () => {
  const names = ['QUAYSIDE_SECRET', 'QUAYSIDE_SECRET_PREVIOUS', 'QUAYSIDE_BOOTSTRAP_KEY']
  for (const name of names)
    test(`rejects a short or repetitive ${name} without quoting it in the error`, () => {
      for (const value of ['short', 'a'.repeat(32), 'ab'.repeat(32), '1234567'.repeat(9)])
        assert.throws(
          () => readConfig({ [name]: value }),
          (error) => error instanceof Error && error.message.includes(name) && !error.message.includes(value),
        )
      assert.ok(readConfig({ [name]: '0123456789abcdef0123456789abcdef' }))
    })

  test('accepts the value `lost` only for QUAYSIDE_SECRET_PREVIOUS', () => {
    assert.equal(readConfig({ QUAYSIDE_SECRET_PREVIOUS: 'lost' }).secretPrevious, 'lost')
    assert.throws(() => readConfig({ QUAYSIDE_SECRET: 'lost' }), /at least 32 characters/)
  })
})
