import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesForPage } from './release-notes.ts'

test('removes the heading with the name and version', () => {
  assert.equal(notesForPage('# Quayside 1.2.0\n\n### Added\n\n- One\n'), '### Added\n\n- One')
})

test('shortens notes at the end of an entry and names the file with the rest', () => {
  const entry = `- ${'word '.repeat(20)}\n`
  const notes = notesForPage(`# Quayside 1.2.0\n\n### Added\n\n${entry.repeat(1000)}`)
  assert.ok(notes.length <= 20_000 && notes.length > 19_000, `${notes.length} characters`)
  assert.match(notes, /^### Added\n\n- word/)
  assert.match(notes, /word word \n\nThe file `RELEASE_NOTES\.md` contains the remaining notes\.$/)
})

test('does not end with a heading whose entries are left out', () => {
  const entry = `- ${'x'.repeat(16_000)}\n`
  const notes = notesForPage(`### Added\n\n${entry}\n### Fixed\n\n#### Uploads\n\n${entry}`)
  assert.match(notes, /x\n\nThe file `RELEASE_NOTES\.md`/)
  assert.doesNotMatch(notes, /Fixed|Uploads/)
})

test('joins the lines of paragraphs and list items, but not those of other blocks', () => {
  const notes = [
    'A paragraph of',
    'two lines.',
    '',
    '### Added',
    '- One entry',
    '  in two lines',
    '- Another',
    '  - and one below it',
    '    in two lines',
    '',
    '```sh',
    'first',
    'second',
    '```',
    'After',
    'the code.',
  ]
  assert.deepEqual(notesForPage(notes.join('\n')).split('\n'), [
    'A paragraph of two lines.',
    '',
    '### Added',
    '- One entry in two lines',
    '- Another',
    '  - and one below it in two lines',
    '',
    '```sh',
    'first',
    'second',
    '```',
    'After the code.',
  ])
})
