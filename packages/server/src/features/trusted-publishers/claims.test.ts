import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimeMs } from '../../../test/cpu-time.ts'
import { matchesPattern, mismatchedClaims } from './claims.ts'

for (const [pattern, text, expected] of [
  ['a', 'a', true],
  ['a', 'A', false],
  ['a', 'ab', false],
  ['', '', true],
  ['a*', 'a', true],
  ['a*', 'a/b:c', true],
  ['*a', 'ba', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['repo:acme/app:*', 'repo:acme/app:ref:refs/heads/main', true],
  ['repo:acme/app:*', 'repo:acme/app-evil:ref:refs/heads/main', false],
  ['*ab*ab*', 'abab', true],
  ['*ab*ab*', 'aba', false],
  ['a*b*c', 'abbc', true],
  ['a*bc*c', 'abc', false],
  ['a**b', 'ab', true],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['a?', 'ab', false],
  ['.*', 'x', false],
  ['refs/tags/v*.*', 'refs/tags/v1.2', true],
] as [string, string, boolean][]) {
  test(`${expected ? 'matches' : 'does not match'} "${text}" with the pattern "${pattern}"`, () =>
    assert.equal(matchesPattern(pattern, text), expected))
}

test('matches the same strings as the equivalent regular expression', () => {
  const patterns = fc.stringMatching(/^[ab.*]{0,8}$/)
  const texts = fc.stringMatching(/^[ab.]{0,10}$/)
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const source = pattern
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('[^]*')
      assert.equal(matchesPattern(pattern, text), new RegExp(`^${source}$`).test(text))
    }),
    { numRuns: 2000 },
  )
})

test('evaluates a worst-case pattern against a 16,000-character claim in under 100 ms of CPU time', () => {
  const start = cpuTimeMs()
  assert.equal(matchesPattern(`${'*a'.repeat(8)}*b`, 'a'.repeat(16_000)), false)
  assert.ok(cpuTimeMs() - start < 100)
})

test('matches string, integer, boolean and array claims but not missing, null or object claims', () => {
  const claims = JSON.parse(`{
    "text": "main", "id": 42, "flag": true, "list": ["a", "b", 7], "nested": {"a": 1}, "none": null,
    "large": 12345678901234567890, "half": 0.5, "empty": [], "__proto__": "own"
  }`) as Record<string, unknown>
  const rules = {
    text: ['dev', 'main'],
    id: '42',
    flag: 'true',
    list: 'b',
    ...(JSON.parse('{"__proto__": "own"}') as Record<string, string>),
  }
  assert.deepEqual(mismatchedClaims(rules, claims), [])
  assert.deepEqual(mismatchedClaims({ list: '7' }, claims), [])
  const wrong = {
    text: 'mai',
    id: '4',
    flag: 'false',
    list: 'a, b',
    nested: '*1*',
    none: 'null',
    large: '12345678901234567*',
    half: '0*',
    empty: '*a',
    constructor: '*function*',
    toString: '*f*',
    absent: 'a*',
  }
  assert.deepEqual(mismatchedClaims(wrong, claims), Object.keys(wrong))
})
