import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fits, unfitClaims } from './claims.ts'

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
  test(`"${pattern}" and "${text}", ${expected ? 'fits' : 'does not fit'}`, () =>
    assert.equal(fits(pattern, text), expected))
}

test('a pattern of any form, the same as a regular expression says', () => {
  const letters = fc.stringMatching(/^[ab.*]{0,8}$/)
  const text = fc.stringMatching(/^[ab.]{0,10}$/)
  fc.assert(
    fc.property(letters, text, (pattern, given) => {
      const source = pattern
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('[^]*')
      assert.equal(fits(pattern, given), new RegExp(`^${source}$`).test(given))
    }),
    { numRuns: 2000 },
  )
})

test('the worst of patterns on the longest of claims, at once', () => {
  const start = performance.now()
  assert.equal(fits(`${'*a'.repeat(8)}*b`, 'a'.repeat(16_000)), false)
  assert.ok(performance.now() - start < 100)
})

test('claims as texts, numbers, booleans, lists; missing ones and objects fit nothing', () => {
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
  assert.deepEqual(unfitClaims(rules, claims), [])
  assert.deepEqual(unfitClaims({ list: '7' }, claims), [])
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
  assert.deepEqual(unfitClaims(wrong, claims), Object.keys(wrong))
})
