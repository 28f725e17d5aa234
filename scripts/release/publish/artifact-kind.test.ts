import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, platforms } from './artifact-kind.ts'

test('assigns platform and architecture to the executables of all targets', () => {
  const found = [
    'linux-x64.tar.gz',
    'linux-arm64.tar.gz',
    'macos-x64.tar.gz',
    'macos-arm64.tar.gz',
    'windows-x64.zip',
  ]
    .map((name) => kindOf(`quayside-1.2.0-${name}`).kind)
    .map(({ label, platform, architecture }) => [label, platform, architecture])
  assert.deepEqual(found, [
    ['command-line', 'linux', 'x64'],
    ['command-line', 'linux', 'arm64v8'],
    ['command-line', 'macos', 'x64'],
    ['command-line', 'macos', 'apple'],
    ['command-line', 'windows', 'x64'],
  ])
  for (const [, platform = ''] of found) assert.ok(platforms.includes(platform), platform)
})

test('lists what most people download first, and signatures and documents after it', () => {
  const names = [
    'quayside-1.2.0-linux-x64.tar.gz',
    'quayside-1.2.0-windows-x64.zip',
    'quayside-server_1.2.0_amd64.deb',
    'install.sh',
    'quayside-cli-1.2.0.tgz',
    'SHA256SUMS.minisig',
    'quayside-1.2.0.spdx.json',
    'quayside-1.2.0.intoto.json',
    'RELEASE_NOTES.md',
    'something new',
  ]
  const positions = names.map((name) => kindOf(name).position)
  assert.deepEqual(
    positions,
    positions.toSorted((one, other) => one - other),
  )
  assert.deepEqual(kindOf('something new').kind, { label: 'other', platform: 'generic' })
})
