import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './notes-excerpt.ts'

test('shows notes in one line of plain text', () => {
  assert.equal(excerptOf('# Fixed\n\n- A & B\n- *C*\n\n<b>'), 'A & B · C <b>')
  assert.equal(excerptOf('A &#65;&#x42; &#X1F600;'), 'A AB 😀')
})

test('replaces references to characters that do not exist', () => {
  assert.equal(excerptOf('A &#9999999; &#xd800; &#x110000; B'), 'A \ufffd \ufffd \ufffd B')
})
