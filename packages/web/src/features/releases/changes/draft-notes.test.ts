import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Build } from '@quayside/sdk'
import { draftNotes } from './draft-notes.ts'

const build = (notes: string | null, ...labels: string[]): Build =>
  ({ notes, labels: labels.map((name) => ({ name })) }) as unknown as Build

test('lists the notes of each build once', () => {
  const builds = [
    build('Adds a map.'),
    build(null),
    build(''),
    build('Fixes a crash\non start.'),
    build('Adds a map.'),
  ]
  assert.equal(draftNotes(builds, 'Other'), '- Adds a map.\n- Fixes a crash\n  on start.')
})

test('keeps the items of lists and leaves out headings', () => {
  const notes = '## New\n\n- A map\n  - of the world\n* A *legend*\n\n+ Zoom\r\n'
  assert.equal(draftNotes([build(notes)], 'Other'), '- A map\n    - of the world\n- A *legend*\n- Zoom')
})

test('keeps the lines of code blocks', () => {
  const code = '```sh\n# Installs the map.\n- not an item\n\n~~~\n````'
  assert.equal(
    draftNotes([build(`Run this:\n${code}\n# Next\n- A map`)], 'Other'),
    '- Run this:\n  ```sh\n  # Installs the map.\n  - not an item\n\n  ~~~\n  ````\n- A map',
  )
  assert.equal(draftNotes([build('- ~~~\n  # a\n  ~~~\n# Next')], 'Other'), '- ~~~\n    # a\n    ~~~')
})

test('groups the notes by label', () => {
  const builds = [
    build('One', 'fix'),
    build('Two'),
    build('Three', 'new', 'fix'),
    build('Four', '[x](y) # <b>'),
  ]
  assert.equal(
    draftNotes(builds, 'Other'),
    '## \\[x\\](y) \\# \\<b\\>\n\n- Four\n\n## fix\n\n- One\n- Three\n\n## Other\n\n- Two',
  )
})

test('returns nothing if no build has notes', () => {
  assert.equal(draftNotes([build(null, 'fix')], 'Other'), '')
})
