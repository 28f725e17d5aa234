import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeName } from './fields.ts'

test('removes characters from names that are invisible where they are', () => {
  const invisible =
    '\u0001 \u00ad \u034f \u061c \u115f \u17b4 \u180e \u200b \u200e \u200f \u202a \u202d \u202e \u2060 \u2064 \u2066 \u2069 \u206f \u3164 \ufeff \uffa0 \ufff9 \u{e0001} \u200c \u200d \ufe0f \ufe00 \u{e0061} \u{e0100}'
  for (const character of invisible.split(' '))
    for (const name of [`night${character}ly`, `nightly${character}`, `${character}nightly`])
      assert.equal(normalizeName(name), 'nightly', character.codePointAt(0)?.toString(16))
})

test('keeps what emoji and scripts need', () => {
  const names = [
    '👩‍💻 nightly',
    '❤️',
    '🏳️‍🌈',
    '👍🏽',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'نسخه\u200cها',
    'क्\u200dष',
    '葛\u{e0100}',
    'Straße',
    'naïve',
  ]
  for (const name of names) {
    assert.equal(normalizeName(name), name.normalize('NFC'))
    assert.equal(normalizeName(normalizeName(`${name}\ufe0f\u200d`)), normalizeName(`${name}\ufe0f\u200d`))
  }
})
