import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityTag, isUnchanged } from './conditional.ts'

const tag = entityTag('text')

for (const [description, header, expected] of [
  ['missing', undefined, false],
  ['empty', '', false],
  ['the ETag', tag, true],
  ['the ETag in its weak form', `W/${tag}`, true],
  ['a list that includes the ETag', `"other", W/${tag} , "more"`, true],
  ['*', '*', true],
  ['* with surrounding spaces', ' * ', true],
  ['the ETag without its quotes', tag.slice(1, -1), false],
  ['a different ETag', '"other"', false],
  ['a long string with no closing quote', `"${'a'.repeat(5000)}`, false],
] as const)
  test(`treats the content as ${expected ? 'unchanged' : 'changed'} when If-None-Match is ${description}`, () => {
    assert.equal(isUnchanged(header, tag), expected)
  })

test('generates a quoted ETag that changes with the content', () => {
  assert.notEqual(entityTag('text '), tag)
  assert.match(tag, /^"[\w-]{27}"$/)
})
