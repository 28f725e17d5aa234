import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCircuit } from './circuit.ts'

describe('circuit breaker', () => {
  function open() {
    const state = { nowMs: 0, calls: 0 }
    const circuit = createCircuit({
      maxFailures: 3,
      openMs: 1000,
      isFailure: (error) => (error as Error).message === 'down',
      refuse: () => new Error('refused'),
      now: () => state.nowMs,
    })
    const call = (outcome: 'up' | 'down' | 'rejected') =>
      circuit.run(async () => {
        state.calls++
        if (outcome !== 'up') throw new Error(outcome)
        return outcome
      })
    const fail = async (times: number) => {
      for (let count = 0; count < times; count++) await assert.rejects(call('down'), { message: 'down' })
    }
    return { state, circuit, call, fail }
  }

  test('refuses calls without running them after consecutive failures', async () => {
    const { state, call, fail } = open()
    await fail(3)
    await assert.rejects(call('up'), { message: 'refused' })
    assert.equal(state.calls, 3)
  })

  test('runs one call at a time after the open interval and closes when it succeeds', async () => {
    const { state, circuit, call, fail } = open()
    await fail(3)
    state.nowMs = 1000
    const { promise, resolve } = Promise.withResolvers<string>()
    const tested = circuit.run(() => promise)
    await assert.rejects(call('up'), { message: 'refused' })
    resolve('up')
    assert.equal(await tested, 'up')
    assert.equal(await call('up'), 'up')
  })

  test('stays open when the test call fails', async () => {
    const { state, call, fail } = open()
    await fail(3)
    state.nowMs = 1000
    await fail(1)
    state.nowMs = 1999
    await assert.rejects(call('up'), { message: 'refused' })
    state.nowMs = 2000
    assert.equal(await call('up'), 'up')
  })

  test('does not count errors that the other side reports', async () => {
    const { call, fail } = open()
    await fail(2)
    await assert.rejects(call('rejected'), { message: 'rejected' })
    await fail(2)
    assert.equal(await call('up'), 'up')
  })
})
