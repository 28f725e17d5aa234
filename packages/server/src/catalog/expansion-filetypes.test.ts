import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptedExpansionExtensions,
  expansionFiletypeFor,
  expansionFiletypeResource,
} from './expansion-filetypes.ts'

const find = (platform: string, primaryFiletype: string, filename: string): string | undefined =>
  expansionFiletypeFor({ platform, primaryFiletype, filename })?.identifier

test('accepts an .obb expansion file for an Android APK regardless of letter case', () => {
  assert.equal(find('android', 'apk', 'main.1.com.example.game.obb'), 'obb')
  assert.equal(find('android', 'apk', 'MAIN.OBB'), 'obb')
  assert.deepEqual(acceptedExpansionExtensions('android', 'apk'), ['obb'])
})

test('rejects an expansion file that is not an .obb file for an Android APK', () => {
  assert.equal(find('android', 'apk', 'main.zip'), undefined)
  assert.equal(find('android', 'apk', 'main.obb.zip'), undefined)
  assert.equal(find('android', 'apk', '.obb'), undefined)
  assert.equal(find('android', 'apk', 'obb'), undefined)
  assert.equal(find('android', 'aab', 'main.obb'), undefined)
  assert.equal(find('quest', 'apk', 'main.obb'), undefined)
  assert.equal(find('alpine', 'apk-alpine', 'main.obb'), undefined)
  assert.equal(find('__proto__', 'apk', 'main.obb'), undefined)
  assert.deepEqual(acceptedExpansionExtensions('android', 'aab'), [])
})

test('returns the same fields for an expansion file type as for any other file type', () => {
  assert.deepEqual(expansionFiletypeResource('obb'), {
    identifier: 'obb',
    name: 'Android Expansion File',
    extension: 'obb',
    mime_type: 'application/octet-stream',
  })
  assert.equal(expansionFiletypeResource('apk').name, 'Android Package')
})
