import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUploadSource, uploadSources } from './upload-sources.ts'
import { isVersionControlHost, versionControlHosts } from './version-control-hosts.ts'
import { isVersionControlType, versionControlTypes } from './version-control-types.ts'

const lists = [
  { name: 'upload sources', entries: uploadSources, has: isUploadSource },
  { name: 'version control types', entries: versionControlTypes, has: isVersionControlType },
  { name: 'version control hosts', entries: versionControlHosts, has: isVersionControlHost },
]

for (const { name, entries, has } of lists) {
  test(`${name}, asked for each of their slugs, know it, and know no other`, () => {
    for (const { identifier, name: shown } of entries) {
      assert.match(identifier, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.ok(shown.length > 0)
      assert.ok(has(identifier))
      assert.ok(!has(identifier.toUpperCase()))
    }
    for (const slug of ['', ' ', '__proto__', 'constructor', 'toString', 'none']) assert.ok(!has(slug))
  })
}

test('upload sources hold web-upload, cli-upload and 21 more, as the contract says', () => {
  assert.equal(uploadSources.length, 23)
  assert.ok(isUploadSource('web-upload') && isUploadSource('cli-upload'))
})

test('version control types hold those the contract names', () => {
  for (const slug of 'git svn hg bzr fossil darcs cvs monotone'.split(' '))
    assert.ok(isVersionControlType(slug))
})
