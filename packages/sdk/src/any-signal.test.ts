import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { anySignal } from './any-signal.ts'

const { any } = AbortSignal

describe('a signal of several in Node before 20.3', () => {
  beforeEach(() => {
    Reflect.deleteProperty(AbortSignal, 'any')
  })
  afterEach(() => {
    AbortSignal.any = any
  })

  test('is aborted with the reason of the first that is', () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const signal = anySignal([first.signal, second.signal])
    assert.equal(signal.aborted, false)
    second.abort('second')
    first.abort('first')
    assert.deepEqual([signal.aborted, signal.reason], [true, 'second'])
  })

  test('is aborted if one of them already is', () => {
    const signal = anySignal([new AbortController().signal, AbortSignal.abort('before')])
    assert.deepEqual([signal.aborted, signal.reason], [true, 'before'])
  })
})
