import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosePlatform, detectKind, platformsFor, type FileKind } from './platform.ts'

test('ranks platforms by file extension and detected file kind', () => {
  const table: [string, FileKind, string][] = [
    ['app.apk', 'zip', 'android'],
    ['tool-1.0-r0.apk', 'gzip', 'alpine'],
    ['app.aab', 'zip', 'android'],
    ['App.IPA', 'zip', 'ios'],
    ['setup.exe', 'unknown', 'windows'],
    ['disk.dmg', 'unknown', 'macos'],
    ['installer.pkg', 'xar', 'macos'],
    ['game.pkg', 'playstation', 'ps5'],
    ['tool.pkg', 'zstd', 'freebsd'],
    ['tool_1.0_amd64.deb', 'unknown', 'linux'],
    ['tool-1.0-1-x86_64.pkg.tar.zst', 'zstd', 'arch'],
    ['game.nsp', 'unknown', 'switch'],
    ['archive.tar.gz', 'gzip', 'generic'],
    ['node', 'elf', 'linux'],
    ['node', 'unknown', 'generic'],
    ['data.something', 'unknown', 'generic'],
  ]
  for (const [filename, kind, expected] of table)
    assert.equal(platformsFor(filename, kind)[0], expected, filename)
})

test('chooses the best matching platform of the application', () => {
  const table: [string, FileKind, string[] | undefined, string][] = [
    ['app.apk', 'zip', ['quest'], 'quest'],
    ['app.apk', 'zip', ['quest', 'android'], 'android'],
    ['app-quest.apk', 'zip', ['quest', 'android'], 'quest'],
    ['app.apk', 'zip', undefined, 'android'],
    ['app.zip', 'zip', ['generic', 'windows'], 'generic'],
    ['app-win64.zip', 'zip', ['generic', 'windows'], 'windows'],
    ['app-darwin-arm64.tar.gz', 'gzip', ['linux', 'macos', 'windows'], 'macos'],
    ['app.zip', 'zip', ['ios', 'windows'], 'windows'],
    ['node', 'elf', ['macos', 'linux', 'generic'], 'linux'],
    ['node', 'elf', ['generic'], 'generic'],
    ['tool.deb', 'unknown', ['debian'], 'debian'],
    ['tool.deb', 'unknown', ['generic'], 'generic'],
    ['firmware.bin', 'unknown', undefined, 'generic'],
  ]
  for (const [filename, kind, attached, expected] of table) {
    const choice = choosePlatform(filename, kind, attached)
    assert.deepEqual(choice, { platform: expected }, `${filename} among ${attached?.join()}`)
  }
})

test("lists the platforms that accept a file when none of the application's platforms does", () => {
  const choice = choosePlatform('app.ipa', 'zip', ['generic', 'android'])
  assert.deepEqual(choice, { rejected: ['ios', 'apple-watch', 'vision-pro', 'apple-tv', 'homepod'] })
})

test('reports an archive that matches two platforms equally well', () => {
  assert.deepEqual(choosePlatform('app.zip', 'zip', ['windows', 'macos']), {
    ambiguous: ['windows', 'macos'],
  })
})

test('detects the kind of a file from its first bytes', () => {
  assert.equal(detectKind(Buffer.from('PK\u0003\u0004....')), 'zip')
  assert.equal(detectKind(Buffer.from('7f454c4602', 'hex')), 'elf')
  assert.equal(detectKind(Buffer.alloc(0)), 'unknown')
})
