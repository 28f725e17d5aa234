import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCompanion, ownerOf } from './companion-files.ts'

test('distinguishes builds from the files that describe them', () => {
  const builds = ['app.apk', 'tool-linux-amd64', 'App.dmg', 'tool.tar.gz', 'setup.exe', 'install.sh', 'a.zip']
  const companions = [
    'app.apk.sha256',
    'SHA256SUMS',
    'SHA256SUMS.asc',
    'checksums.txt',
    'latest-mac.yml',
    'setup.exe.blockmap',
    'tool.tar.gz.minisig',
    'bom.cdx.json',
    'App.dSYM.zip',
    'mapping.txt',
    'app.intoto.jsonl',
    'App.AppImage.zsync',
  ]
  assert.deepEqual([...builds, ...companions].filter(isCompanion), companions)
})

test('finds the build that a file describes', () => {
  const builds = ['app.apk', 'app', 'tool-1.0.tar.gz', 'App.dmg']
  const table: [string, string | undefined][] = [
    ['app.apk.sig', 'app.apk'],
    ['APP.APK.SHA256', 'app.apk'],
    ['tool-1.0.sha256', 'tool-1.0.tar.gz'],
    ['tool-1.0.tar.gz.asc', 'tool-1.0.tar.gz'],
    ['SHA256SUMS', undefined],
    ['latest.yml', undefined],
  ]
  for (const [name, owner] of table) assert.equal(ownerOf(name, builds), owner, name)
})
