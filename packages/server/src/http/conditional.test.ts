import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityTag, isUnchanged } from './conditional.ts'

const tag = entityTag('text')

for (const [header, expected] of [
  [undefined, false],
  ['', false],
  [tag, true],
  [`W/${tag}`, true],
  [`"other", W/${tag} , "more"`, true],
  ['*', true],
  [' * ', true],
  [tag.slice(1, -1), false],
  ['"other"', false],
  [`"${'a'.repeat(5000)}`, false],
] as const)
  test(`If-None-Match ${header?.slice(0, 40) ?? '(absent)'} ${expected ? 'matches' : 'does not match'} the ETag`, () => {
    assert.equal(isUnchanged(header, tag), expected)
  })

test('generates a different quoted ETag when the content changes', () => {
  assert.notEqual(entityTag('text '), tag)
  assert.match(tag, /^"[\w-]{27}"$/)
})
