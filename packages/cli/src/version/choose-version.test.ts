import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatVersion } from '@quayside/sdk/version'
import { chooseVersion } from './choose-version.ts'
import type { VersionSources } from './choose-version.ts'

test('chooses between the version in the file name and the version of the tag', () => {
  const table: [VersionSources, string, string, boolean][] = [
    [{ filename: 'app-2.3.4.zip', tag: 'v0.9.0' }, '2.3.4', 'the file name', true],
    [{ filename: 'app-2.3.4.zip', tag: 'v2.3.4' }, '2.3.4', 'the tag v2.3.4', false],
    [{ filename: 'app-2.3.4.zip', tag: 'v2.3.4-rc.1' }, '2.3.4-rc.1', 'the tag v2.3.4-rc.1', false],
    [{ filename: 'app-2.3.4-rc.1.zip', tag: 'v2.3.4' }, '2.3.4-rc.1', 'the file name', false],
    [{ filename: 'app-2.3.4-rc.1.zip', tag: 'v2.3.4-rc.2' }, '2.3.4-rc.1', 'the file name', true],
    [{ filename: 'app-2.3.4.zip', tag: 'nightly' }, '2.3.4', 'the file name', false],
    [{ filename: 'app.zip', tag: 'v1.0' }, '1.0.0', 'the tag v1.0', false],
    [{ filename: 'app-2.3.4.zip', tag: 'v0.9.0', versionFrom: 'tag' }, '0.9.0', 'the tag v0.9.0', false],
    [{ filename: 'app-2.3.4.zip', tag: 'v0.9.0', versionFrom: 'filename' }, '2.3.4', 'the file name', false],
    [{ filename: 'app-2.3.4.zip', tag: 'v0.9.0', option: '5.0' }, '5.0.0', '--version', false],
  ]
  for (const [sources, version, from, isConflict] of table) {
    const found = chooseVersion(sources)
    assert.deepEqual(
      [formatVersion(found), found.from, found.conflict !== undefined],
      [version, from, isConflict],
      JSON.stringify(sources),
    )
  }
})

test('returns the build number in the file name unless the version comes from elsewhere', () => {
  const table: [VersionSources, string | undefined][] = [
    [{ filename: 'app-2.3.4.5.zip' }, '5'],
    [{ filename: 'app-2.3.4.5.zip', tag: 'v2.3.4-rc.1' }, '5'],
    [{ filename: 'app-2.3.4.5.zip', tag: 'v0.9.0' }, '5'],
    [{ filename: 'app-2.3.4.5.zip', tag: 'v0.9.0', versionFrom: 'tag' }, undefined],
    [{ filename: 'app-2.3.4.5.zip', option: '5.0' }, undefined],
  ]
  for (const [sources, build] of table)
    assert.equal(chooseVersion(sources).build, build, JSON.stringify(sources))
})

test('names the sources that contain no version', () => {
  assert.throws(() => chooseVersion({ filename: 'app.zip' }), /in a tag or in the file name app\.zip/)
  assert.throws(() => chooseVersion({ filename: 'app-1.0.zip', versionFrom: 'tag' }), /in a tag\. Add/)
  assert.throws(
    () => chooseVersion({ filename: 'app.zip', tag: 'v1.0', versionFrom: 'filename' }),
    /in the file name app\.zip\. Add/,
  )
})
