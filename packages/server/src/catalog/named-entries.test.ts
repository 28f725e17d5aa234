import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUploadSource, uploadSources } from './upload-sources.ts'
import {
  isVersionControlHost,
  isVersionControlType,
  versionControlHosts,
  versionControlTypes,
} from './version-control.ts'

const lists = [
  { name: 'upload sources', entries: uploadSources, has: isUploadSource },
  { name: 'version control types', entries: versionControlTypes, has: isVersionControlType },
  { name: 'version control hosts', entries: versionControlHosts, has: isVersionControlHost },
]

for (const { name, entries, has } of lists) {
  test(`defines valid slugs and names for ${name} and rejects unknown slugs`, () => {
    for (const { identifier, name: displayName } of entries) {
      assert.match(identifier, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.ok(displayName.length > 0)
      assert.ok(has(identifier))
      assert.ok(!has(identifier.toUpperCase()))
    }
    for (const slug of ['', ' ', '__proto__', 'constructor', 'toString', 'none']) assert.ok(!has(slug))
  })
}

test('lists 23 upload sources, including web-upload and cli-upload', () => {
  assert.equal(uploadSources.length, 23)
  assert.ok(isUploadSource('web-upload') && isUploadSource('cli-upload'))
})

test('includes every version control type that the contract lists', () => {
  for (const slug of 'git svn hg bzr fossil darcs cvs monotone'.split(' '))
    assert.ok(isVersionControlType(slug))
})
