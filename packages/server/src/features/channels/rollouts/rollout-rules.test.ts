import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionSortKey, parseVersion } from '../../../lib/semver.ts'
import {
  isOfferedTo,
  offeredToEveryone,
  percentageAt,
  placeOf,
  reachableFrom,
  type RolloutRules,
} from './rollout-rules.ts'
import { isBelowDotted, isSemverAbove, sortKeyOf } from './version-order.ts'

const ids = Array.from(
  { length: 100_000 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
)
const nobody = new Set<string>()
const rules = (changes: Partial<RolloutRules>): RolloutRules => ({ ...offeredToEveryone, ...changes })

const offeredAt = (percentage: number, seed = 'channel:2.0.0') =>
  new Set(ids.filter((id) => isOfferedTo(rules({ percentage }), seed, { id, cohorts: nobody }, 0)))

test('offers a version to the given percentage of 100,000 clients', () => {
  for (const percentage of [1, 5, 20, 50, 100]) {
    const share = (offeredAt(percentage).size / ids.length) * 100
    assert.ok(Math.abs(share - percentage) <= 0.5, `${percentage} %: ${share}`)
  }
  assert.equal(offeredAt(0).size, 0)
})

test('adds clients as the percentage grows, and keeps the first ones as it shrinks', () => {
  let before = new Set<string>()
  for (const percentage of [1, 5, 20, 50, 100]) {
    const offered = offeredAt(percentage)
    assert.ok(before.isSubsetOf(offered), `${percentage} %`)
    before = offered
  }
  assert.deepEqual(offeredAt(5), new Set(ids.filter((id) => placeOf('channel:2.0.0', id) < 5)))
})

test('gives each version its own order of clients', () => {
  const [first, second] = [offeredAt(10, 'channel:2.0.0'), offeredAt(10, 'channel:2.0.1')]
  const share = (first.intersection(second).size / first.size) * 100
  assert.ok(Math.abs(share - 10) < 2, `${share}`)
  // A value that must never change, because it decides who is offered a running rollout.
  assert.equal(placeOf('channel:2.0.0', ids[0]!).toFixed(6), '65.257989')
})

test('offers a version to testers and, without an ID, only once everyone is', () => {
  const some = rules({ percentage: 50, cohorts: ['testers'] })
  const anonymous = { id: undefined, cohorts: nobody }
  assert.equal(isOfferedTo(some, 'x', anonymous, 0), false)
  assert.equal(isOfferedTo(some, 'x', { ...anonymous, cohorts: new Set(['testers']) }, 0), true)
  assert.equal(isOfferedTo(rules({}), 'x', anonymous, 0), true)
  for (const state of ['stopped', 'rolled_back'] as const)
    assert.equal(
      isOfferedTo(rules({ state, cohorts: ['testers'] }), 'x', { id: 'a', cohorts: new Set(['testers']) }, 0),
      false,
    )
  assert.equal(isOfferedTo(rules({ state: 'paused' }), 'x', anonymous, 0), true)
})

test('grows evenly until its time', () => {
  const growing = { percentage: 20, changedAtMs: 1_000, completeAtMs: 2_000 }
  assert.deepEqual(
    [0, 1_000, 1_500, 2_000, 9_000].map((nowMs) => percentageAt(growing, nowMs)),
    [20, 20, 60, 100, 100],
  )
})

test('does not skip a required version', () => {
  const entry = (version: string, rollout: Partial<RolloutRules> = {}) => ({
    version,
    sortKey: versionSortKey(parseVersion(version)!),
    rollout: rules(rollout),
  })
  const published = [
    entry('3.0.0'),
    entry('2.5.0', { isRequired: true }),
    entry('2.0.0', { isRequired: true }),
    entry('1.0.0'),
  ]
  const from = (current?: string, isOffered = (_: { version: string }) => true) =>
    reachableFrom(published, current, isOffered).map(({ version }) => version)
  assert.deepEqual(from('1.0.0'), ['2.0.0', '1.0.0'])
  assert.deepEqual(from('2.0.0'), ['2.5.0', '2.0.0', '1.0.0'])
  assert.deepEqual(from('2.5.0'), ['3.0.0', '2.5.0', '2.0.0', '1.0.0'])
  assert.deepEqual(from(), ['3.0.0', '2.5.0', '2.0.0', '1.0.0'])
  assert.deepEqual(
    from('1.0.0', ({ version }) => version !== '2.0.0'),
    ['1.0.0'],
  )
})

test('compares the versions that clients send', () => {
  const key = versionSortKey(parseVersion('2.0.0')!)
  for (const older of ['1.9.9', 'v1.9.9', '1', '1.9', '2.0.0-beta.1', '1.9.9.9'])
    assert.ok(isSemverAbove(key, older), older)
  for (const other of [
    '2.0.0',
    '2.0.0+5',
    '2',
    '10.0.0',
    '2.0.1-alpha',
    '',
    'latest',
    '99999.0.0',
    '1.0.0\n',
  ])
    assert.equal(isSemverAbove(key, other), false, other)
  assert.equal(sortKeyOf('2.0.0'), key)
  assert.ok(isBelowDotted('10.14', '10.15.1'))
  assert.equal(isBelowDotted('14', '14.0.0'), false)
})
