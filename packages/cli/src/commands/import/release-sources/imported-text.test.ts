import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanName, notesWithOrigin } from './imported-text.ts'

const release = {
  notes: '# New\r\n\r\n- a map\u0000\u001b[31m',
  status: 'published',
  date: '2024-03-01T10:00:00.000Z',
  url: 'https://example.com/releases/v1',
} as const

test('adds the date and the page of the publication to the notes', () => {
  assert.deepEqual(notesWithOrigin(release), {
    text: '# New\n\n- a map[31m\n\nFirst published on 2024-03-01 at <https://example.com/releases/v1>.',
    isShortened: false,
  })
  assert.equal(notesWithOrigin({ ...release, notes: null, url: null }).text, 'First published on 2024-03-01.')
  assert.equal(
    notesWithOrigin({ ...release, url: 'javascript:alert(1)' }).text?.includes('javascript'),
    false,
  )
  assert.equal(notesWithOrigin({ ...release, status: 'draft' }).text, '# New\n\n- a map[31m')
  assert.equal(notesWithOrigin({ ...release, notes: null, status: 'draft' }).text, null)
})

test('shortens notes to what the API accepts and keeps the date', () => {
  const { text, isShortened } = notesWithOrigin({ ...release, notes: 'x'.repeat(30_000) })
  assert.equal(text?.length, 20_000)
  assert.match(text, /xx\n\nFirst published on 2024-03-01 at/)
  assert.equal(isShortened, true)
})

test('returns names on one line', () => {
  assert.equal(cleanName(' a\n\tb\u202e ', 10), 'a b')
  assert.equal(cleanName('\u0000\n', 10), null)
  assert.equal(cleanName('abc 😀', 5), 'abc \ufffd')
})
