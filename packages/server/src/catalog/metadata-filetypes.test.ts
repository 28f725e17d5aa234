import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { metadataFiletypeRows } from './metadata-filetypes.data.ts'
import { metadataFiletypeFor, metadataFiletypeResource } from './metadata-filetypes.ts'

const identify = (filename: string): string => metadataFiletypeFor(filename).identifier

test('defines a unique pattern and a unique, valid slug for every metadata file type', () => {
  const identifiers = metadataFiletypeRows.map(({ identifier }) => identifier)
  assert.equal(new Set(identifiers).size, identifiers.length)
  const patterns = metadataFiletypeRows.map(({ pattern }) => pattern.toLowerCase())
  assert.equal(new Set(patterns).size, patterns.length)
  for (const identifier of identifiers) assert.match(identifier, /^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('matches every pattern case-insensitively and according to the rules for its kind', () => {
  for (const { identifier, pattern, kind } of metadataFiletypeRows) {
    for (const spelled of [pattern, pattern.toUpperCase(), pattern.toLowerCase()]) {
      assert.equal(identify(`Game_1${spelled}`), identifier, pattern)
      if (kind === 'extension') assert.equal(identify(spelled), 'unknown', pattern)
      else assert.equal(identify(spelled), identifier, pattern)
      if (kind === 'extension-or-whole-name') assert.equal(identify(spelled.slice(1)), identifier, pattern)
    }
    assert.notEqual(identify(`a${pattern}.exe`), identifier)
  }
})

test('prefers the longest matching pattern', () => {
  assert.equal(identify('package-lock.json'), 'package-lock-json')
  assert.equal(identify('MyApp.deps.json'), 'deps-json')
  assert.equal(identify('results.json'), 'json')
  assert.equal(identify('TEST-unit-junit.xml'), 'junit-xml')
  assert.equal(identify('sbom.cdx.json'), 'cdx-json')
  assert.equal(identify('sbom.spdx'), 'spdx')
  assert.equal(identify('Pipfile.lock'), 'pipfile-lock')
  assert.equal(identify('coverage.lcov.info'), 'lcov-info')
  assert.equal(identify('app.min.js.map'), 'map')
})

test('assigns the type `unknown` to file names that match no metadata pattern', () => {
  const names = [
    '',
    '.',
    'app.apk',
    'setup.exe',
    'notes',
    'json',
    '.json',
    'a.json.',
    'a.json ',
    'App.dSYM.zip',
  ]
  const hostile = ['__proto__', 'a.__proto__', 'constructor', 'a.\u212aTS', `${'.'.repeat(100_000)}x`]
  for (const filename of [...names, ...hostile])
    assert.equal(identify(filename), 'unknown', filename.slice(0, 20))
})

test('returns only catalog entries whose pattern matches the file name', () => {
  const ending = fc.constantFrom(...metadataFiletypeRows.map(({ pattern }) => pattern), '.exe', '')
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), ending, (start, end) => {
      const filename = start + end
      const found = metadataFiletypeFor(filename)
      if (found.identifier === 'unknown') return
      const row = metadataFiletypeRows.find(({ identifier }) => identifier === found.identifier)
      const pattern = row?.pattern.toLowerCase() ?? 'missing'
      assert.ok(filename.toLowerCase().endsWith(pattern) || `.${filename.toLowerCase()}` === pattern)
      assert.deepEqual(metadataFiletypeResource(found.identifier), found)
    }),
    { numRuns: 1000 },
  )
})

test('sets the extension to the text after the last dot in the pattern, or to null if there is no dot', () => {
  assert.deepEqual(metadataFiletypeResource('txt'), {
    identifier: 'txt',
    name: 'Plain Text File',
    extension: 'txt',
  })
  assert.equal(metadataFiletypeResource('package-lock-json').extension, 'json')
  assert.equal(metadataFiletypeResource('gitignore').extension, 'gitignore')
  assert.equal(metadataFiletypeResource('dockerfile').extension, null)
  assert.deepEqual(metadataFiletypeResource('unknown'), {
    identifier: 'unknown',
    name: 'Unknown',
    extension: null,
  })
  assert.deepEqual(metadataFiletypeResource('gone'), { identifier: 'gone', name: 'gone', extension: null })
})
