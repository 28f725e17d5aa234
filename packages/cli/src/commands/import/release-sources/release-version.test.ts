import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatVersion } from '@quayside/sdk/version'
import { versionOfFile } from './release-version.ts'

test('reads the version of a file from the tag or else from its name', () => {
  const table: [string | null, string, 'tag' | 'filename' | undefined, string | undefined, string?][] = [
    ['v1.2.3', 'tool_glibc2.35.tar.gz', undefined, '1.2.3'],
    ['v1.2.3', 'app-4.5.6.apk', undefined, '1.2.3'],
    ['v1.2.3', 'app-4.5.6.apk', 'filename', '4.5.6'],
    ['app@2.0.0-rc.1', 'app.apk', undefined, '2.0.0-rc.1'],
    ['7', 'app.apk', undefined, '7.0.0'],
    ['v1.2.3.4', 'app.apk', undefined, '1.2.3', '4'],
    ['nightly', 'app-4.5.6.apk', undefined, '4.5.6'],
    ['nightly', 'app-4.5.6.7.apk', undefined, '4.5.6', '7'],
    ['nightly', 'app.apk', undefined, undefined],
    [null, 'app-4.5.6.apk', 'tag', '4.5.6'],
    ['20240101', 'app.apk', undefined, undefined],
    ['v1.0.0-rc..1', 'app.apk', undefined, '1.0.0-rc.1'],
    [`v1.0.0-${'alpha.'.repeat(9)}1`, 'app.apk', undefined, '1.0.0-alpha.alpha.alpha.alpha.a'],
  ]
  for (const [tag, filename, versionFrom, expected, buildNumber] of table) {
    const version = versionOfFile(tag, filename, versionFrom)
    assert.equal(version && formatVersion(version), expected, `${tag} ${filename}`)
    assert.equal(version?.buildNumber, buildNumber, `${tag} ${filename}`)
  }
})
