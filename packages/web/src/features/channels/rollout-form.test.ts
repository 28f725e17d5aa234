import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rollout } from '@quayside/sdk'
import { rolloutBodyOf, rolloutValuesOf } from './rollout-form.ts'

const growing: Rollout = {
  version: '2.1.0',
  is_published: true,
  state: 'active',
  percentage: 37.5,
  complete_at: '2030-01-02T03:04:05.000000Z',
  cohorts: ['testers'],
  is_critical: false,
  is_required: true,
  minimum_os: { macos: '12.0' },
  stop_when: { failures_percent: 2.5, minimum_reports: 100 },
  stopped_by_rule: null,
  reports: { installed: 0, failed: 0, by_platform: [] },
}

test('leaves the percentage and the end of a growing rollout to the server', () => {
  const body = rolloutBodyOf({ ...rolloutValuesOf(growing), is_critical: true }, growing)
  assert.deepEqual(body, {
    version: '2.1.0',
    state: 'active',
    cohorts: ['testers'],
    is_critical: true,
    is_required: true,
    minimum_os: { macos: '12.0' },
    stop_when: { failures_percent: 2.5, minimum_reports: 100 },
  })
})

test('changes the percentage and the end that were entered', () => {
  const values = rolloutValuesOf(growing)
  const faster = rolloutBodyOf({ ...values, percentage: 60 }, growing)
  assert.deepEqual([faster.percentage, faster.complete_at], [60, undefined])
  const complete = rolloutBodyOf({ ...values, percentage: 100 }, growing)
  assert.deepEqual([complete.percentage, complete.complete_at], [100, null])
  const later = rolloutBodyOf({ ...values, complete_at: '2031-05-06T07:08' }, growing)
  assert.equal(later.complete_at, new Date('2031-05-06T07:08').toISOString())
  const paused = rolloutBodyOf({ ...values, state: 'paused', percentage: 80 }, growing)
  assert.deepEqual([paused.state, paused.percentage, paused.complete_at], ['paused', undefined, undefined])
})

test('sends the percentage of a new rollout, and each cohort once', () => {
  const values = { ...rolloutValuesOf(undefined), version: ' 3.0.0 ', cohorts: 'a, b,, a' }
  const { version, percentage, cohorts, minimum_os, stop_when } = rolloutBodyOf(values, undefined)
  assert.deepEqual([version, percentage, cohorts, minimum_os, stop_when], ['3.0.0', 10, ['a', 'b'], {}, null])
  const withRule = rolloutBodyOf({ ...values, has_stop_rule: true }, undefined)
  assert.deepEqual(withRule.stop_when, { failures_percent: 5, minimum_reports: 50 })
})
