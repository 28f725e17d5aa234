import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from './secret-box.ts'

const box = createSecretBox('a master secret of more than 32 characters')

test('opens sealed text when given the same context', () => {
  for (const text of ['', 'whsec_1', '😀 ünï', 'x'.repeat(10_000)])
    assert.equal(box.open(box.seal(text, 'webhook 1'), 'webhook 1'), text)
})

test('seals the same text to different bytes each time, none of which contain the text', () => {
  const [first, second] = [box.seal('secret text', 'a'), box.seal('secret text', 'a')]
  assert.notDeepEqual(first, second)
  assert.ok(!first.includes('secret text'))
})

test('rejects bytes that are modified, truncated or sealed with a different context or secret', () => {
  const sealed = box.seal('secret', 'webhook 1')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => box.open(changed, 'webhook 1'))
    assert.throws(() => box.open(sealed.subarray(0, at), 'webhook 1'))
  }
  assert.throws(() => box.open(sealed, 'webhook 2'))
  assert.throws(() => createSecretBox('another master secret of 32 characters').open(sealed, 'webhook 1'))
})

test('creates a token that depends on the text, the purpose and the secret', () => {
  const token = box.token('links', 'id')
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(box.token('links', 'id'), token)
  const others = [
    box.token('links', 'ie'),
    box.token('invitations', 'id'),
    createSecretBox('x'.repeat(32)).token('links', 'id'),
  ]
  assert.equal(new Set([token, ...others]).size, 4)
})
