import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { androidVersionName } from '../../server/src/catalog/android-versions.ts'
import { uploadSources } from '../../server/src/catalog/upload-sources.ts'
import { labelColors as serverColors } from '../../server/src/features/labels/label.ts'
import { androidVersion } from '../src/features/builds/overview/android-versions.ts'
import { uploadSourceNames } from '../src/features/builds/upload-sources.ts'
import { labelColors } from '../src/features/labels/label-colors.ts'
import { platforms } from '../src/text/builds/platforms.ts'
import { scopePresets, scopeText, type KeyKind } from '../src/text/scopes.ts'

// The SDK documents the values that the API accepts.
const sdk = await readFile(new URL('../../sdk/src/generated/api.ts', import.meta.url), 'utf8')

const listFrom = (phrase: string): string[] => {
  const [, list = ''] = new RegExp(`${phrase}: ([^.]*)[.]`).exec(sdk) ?? []
  return list.split(', ').toSorted()
}

const scopesOf = (kind: KeyKind): string[] =>
  scopeText[kind].flatMap(({ id, levels }) => Object.keys(levels).map((level) => `${id}:${level}`))

void test('offers every platform that the API accepts', () => {
  assert.deepEqual(platforms.map(({ identifier }) => identifier).toSorted(), listFrom('[*/] Any of'))
})

void test('names Android versions as the pages for visitors do', () => {
  for (let api = 1; api <= 60; api++)
    assert.equal(
      androidVersion(api)
        .replace(/^(Android .*) \(API \d+\)$/, '$1')
        .replace(/^API/, 'Android API'),
      androidVersionName(api),
    )
})

void test('names upload sources as the API does', () => {
  const names = uploadSources.map(({ identifier, name }) => [identifier, name])
  assert.deepEqual(uploadSourceNames, Object.fromEntries(names))
})

void test('offers the label colors that the server gives to new labels', () => {
  assert.deepEqual(labelColors, serverColors)
})

void test('explains every scope of each kind of key', () => {
  assert.deepEqual(scopesOf('workspace').toSorted(), listFrom('Scopes of workspace keys'))
  assert.deepEqual(scopesOf('application').toSorted(), listFrom('Scopes of application keys'))
})

void test('has only existing scopes in presets', () => {
  for (const kind of ['workspace', 'application'] as const)
    for (const { scopes } of scopePresets)
      for (const scope of scopes[kind]) assert.ok(scopesOf(kind).includes(scope), scope)
})
