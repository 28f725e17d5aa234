import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat, type FormatId } from '../adapters/formats.ts'
import { hostileTexts } from '../adapters/samples/hostile-texts.fixture.ts'
import { readClientFacts, shapeOf } from './client-facts.ts'

const context = { applicationName: 'Harbor', knownVersions: new Set(['1.0.0', '1.2.0', '2.0.0-beta.1+7']) }

function read(format: FormatId, url: string, userAgent?: string) {
  const [path = '', query = ''] = url.split('?')
  const { version, platform, architecture } = readClientFacts(
    findFormat(format) ?? {},
    {
      path: path.split('/').map(decodeURIComponent),
      query: new URLSearchParams(query),
      userAgent,
    },
    context,
  )
  return [version, platform, architecture]
}

test('reads what the client of each format sends', () => {
  const cases: [FormatId, string, string | undefined, string[]][] = [
    ['json', 'latest.json?version=1.2.0&platform=linux&arch=x64', undefined, ['1.2.0', 'linux', 'x64']],
    ['json', 'latest.json?version=2.0.0-beta.1%2B7', undefined, ['2.0.0-beta.1+7', '', '']],
    ['json', 'latest.json', 'harbor/1.2.0 (Linux)', ['1.2.0', '', '']],
    ['json', 'latest.json', 'curl/1.2.0', ['', '', '']],
    ['sparkle', 'appcast.xml', 'Harbor Beta/1.2.0 Sparkle/2.6.4', ['1.2.0', 'macos', '']],
    ['winsparkle', 'appcast.xml', 'Harbor/1.2.0 WinSparkle/0.9.2', ['1.2.0', 'windows', '']],
    ['electron', 'latest-mac.yml', 'electron-builder', ['', 'macos', '']],
    ['electron', 'latest-linux-arm64.yml', 'electron-builder', ['', 'linux', 'arm64']],
    ['tauri', 'darwin/aarch64/1.2.0/app', undefined, ['1.2.0', 'macos', 'arm64']],
    ['tauri', 'linux/x86_64/1.2.0/deb', undefined, ['1.2.0', 'linux', 'x64']],
    ['tauri', 'windows/i686/1.1.0/nsis', undefined, ['other', 'windows', 'x86']],
    ['tauri', 'latest.json', 'tauri-plugin-updater/2.9.0', ['', '', '']],
    ['velopack', 'releases.win.json?localVersion=1.0.0&rid=win-x64', undefined, ['1.0.0', 'windows', 'x64']],
    [
      'squirrel-windows',
      'RELEASES?id=Harbor&localVersion=1.2.0&arch=amd64',
      undefined,
      ['1.2.0', 'windows', 'x64'],
    ],
    ['squirrel-mac', 'arm64/1.2.0', undefined, ['1.2.0', 'macos', 'arm64']],
    ['squirrel-mac', 'arm64/releases.json', undefined, ['', 'macos', 'arm64']],
    ['hazel', 'update/darwin/v1.2.0', undefined, ['1.2.0', 'macos', '']],
    ['hazel', 'update/darwin-arm64/1.2.0', undefined, ['1.2.0', 'macos', 'arm64']],
    ['hazel', 'download/win32', undefined, ['', 'windows', '']],
    ['electron-release-server', 'update/flavor/default/osx_64/1.2.0', undefined, ['1.2.0', 'macos', 'x64']],
    ['electron-release-server', 'update/windows_32/1.0.0/RELEASES', undefined, ['1.0.0', 'windows', 'x86']],
    ['apt', 'dists/stable/InRelease', 'Debian APT-HTTP/1.3 (2.6.1)', ['', 'linux', '']],
    ['fdroid', 'repo/index-v2.json', 'F-Droid 1.20.0', ['', 'android', '']],
    ['winget', 'packageManifests/Acme.Harbor?Version=1.2.0', undefined, ['', 'windows', '']],
    ['gitea', 'api/v1/repos/a/b/releases/tags/1.2.0', undefined, ['', '', '']],
  ]
  for (const [format, url, userAgent, expected] of cases)
    assert.deepEqual(read(format, url, userAgent), expected, `${format} ${url}`)
})

test('counts hostile versions, platforms and programs without their text', () => {
  assert.ok(hostileTexts.length >= 50)
  for (const text of hostileTexts) {
    const encoded = encodeURIComponent(text.toWellFormed())
    const query = `latest.json?version=${encoded}&platform=${encoded}&arch=${encoded}&os=${encoded}`
    const [version, platform, architecture] = read('json', query, `Harbor/${text} ${text}`)
    assert.ok(version === '' || version === 'other', text)
    assert.match(
      `${platform} ${architecture}`,
      /^(macos|windows|linux|android|ios)? (x64|x86|arm64|armv7)?$/,
      text,
    )
    assert.equal(read('hazel', `update/${encoded}/1.2.0`)[0], '1.2.0', text)
  }
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.deepEqual(read('json', `latest.json?version=${name}&platform=${name}`), ['other', '', ''])
})

test('names a failed path without what may be a key', () => {
  assert.equal(shapeOf(['update', 'darwin', '1.2.0']), 'update/darwin/{version}')
  assert.equal(shapeOf(['appcast.xml']), 'appcast.xml')
  assert.equal(shapeOf(['k', 'qsr_4k7mz2qd9w4k7mz2qd9w', 'json', 'latest.json']), '*/*/*/latest.json')
  assert.equal(shapeOf(['1.2.0', 'Harbor secret.EXE']), '{version}/*.exe')
  assert.equal(shapeOf([]), '')
  for (const text of hostileTexts) assert.match(shapeOf([text, 'x', text]), /^[*{}./a-z]*$/, text)
})
