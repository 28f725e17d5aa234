import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseVersion, versionFromFilename, versionFromTag, formatVersion } from './version.ts'
import type { VersionParts } from './version.ts'

function check(parse: (text: string) => VersionParts | undefined, table: Record<string, string>): void {
  for (const [text, expected] of Object.entries(table)) {
    const version = parse(text)
    assert.equal(version ? formatVersion(version) : '-', expected, text)
  }
}

test('parses versions in common formats and rejects other strings', () => {
  check(parseVersion, {
    '1.2.3': '1.2.3',
    'v1.2.3': '1.2.3',
    '1': '1.0.0',
    '1.2': '1.2.0',
    '1.2.3-rc.1': '1.2.3-rc.1',
    '1.2.3+abc.5': '1.2.3+abc.5',
    '1.2-beta+x': '1.2.0-beta+x',
    '2026.11.21': '2026.11.21',
    '0.0.0': '-',
    '10000.0.1': '-',
    '1.2.3.4': '-',
    latest: '-',
    '': '-',
  })
})

test('extracts the version from a tag name', () => {
  check(versionFromTag, {
    'v1.2.3': '1.2.3',
    '1.2': '1.2.0',
    v2: '2.0.0',
    'release/1.2.3-rc.1': '1.2.3-rc.1',
    'app@1.4.0': '1.4.0',
    'my-app-v3.1.4+77': '3.1.4+77',
    nightly: '-',
    '20261121': '-',
    'build-77': '-',
  })
})

test('extracts the version from a file name', () => {
  check(versionFromFilename, {
    'app-1.2.3.apk': '1.2.3',
    'App_v2.0.1-arm64-v8a-release.apk': '2.0.1',
    'MyApp-1.2.3-rc.1-linux-x64.tar.gz': '1.2.3-rc.1',
    'app-1.2.3-beta.ipa': '1.2.3-beta',
    'app 1.2.3-alpha2 (4).exe': '1.2.3-alpha2',
    'tool_1.10.0-1_amd64.deb': '1.10.0',
    'tool_1.10.0~rc1_amd64.deb': '1.10.0-rc1',
    'Game-2.5-win10.zip': '2.5.0',
    'setup-10.0.19041.1.exe': '-',
    'app-1.2.3.4.msi': '1.2.3',
    'lib-0.4.0+git5.tar.xz': '0.4.0+git5',
    'app-1.0-android-14.0.1.apk': '14.0.1',
    'node-v24.21.0-linux-x64.tar.xz': '24.21.0',
    'app-release.apk': '-',
    'app-x86_64.AppImage': '-',
    'firmware.bin': '-',
    'build-20261121.zip': '-',
    'app2.apk': '-',
    'win32.exe': '-',
    'app1.2.3.zip': '1.2.3',
  })
})

test('returns the numbers after the third as build number', () => {
  const table: Record<string, string | undefined> = {
    'app-1.2.3.4.zip': '4',
    'App_2.0.1.1766-x64.msix': '1766',
    'setup-1.2.3.4.5.exe': '4.5',
    'app-1.2.3.0001-rc.1.msi': '0001',
    'app-1.2.3.zip': undefined,
    'app-1.2.3.apk': undefined,
  }
  for (const [filename, build] of Object.entries(table))
    assert.equal(versionFromFilename(filename)?.build, build, filename)
})
