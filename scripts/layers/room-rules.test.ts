import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'

const file = (path: string, text = '') => ({ path: `packages/server/src/${path}`, text })
const use = (path: string, name: string) => file(path, `import { x } from '${name}'`)

const check = (...files: { path: string; text: string }[]) =>
  checkLayers(files).map(({ path, message }) => `${path.replace('packages/server/src/', '')} ${message}`)

const moved = (path: string, room: string) => [
  `${path} lib/ is for what two rooms use: move it to ${room}/, its only user`,
]

test('rejects a file in lib that only one room uses', () => {
  assert.deepEqual(
    check(
      file('lib/turns.ts'),
      use('storage/local/driver.ts', '../../lib/turns.ts'),
      use('storage/s3/driver.ts', '../../lib/turns.ts'),
      use('http/turns.test.ts', '../lib/turns.ts'),
    ),
    moved('lib/turns.ts', 'storage'),
  )
})

test('counts each feature as a room', () => {
  const one = use('features/portals/feed.ts', '../../lib/xml.ts')
  assert.deepEqual(check(file('lib/xml.ts'), one), moved('lib/xml.ts', 'features/portals'))
  assert.deepEqual(check(file('lib/xml.ts'), one, use('features/channels/a.ts', '../../lib/xml.ts')), [])
})

test('counts the users of other files of lib, and a folder of lib as one', () => {
  const xml = [file('lib/xml.ts'), use('storage/a.ts', '../lib/xml.ts'), use('lib/plist.ts', './xml.ts')]
  assert.deepEqual(check(...xml), moved('lib/xml.ts', 'storage'))
  assert.deepEqual(
    check(
      ...xml,
      use('http/a.ts', '../lib/plist.ts'),
      use('net/a.ts', '../lib/plist.ts'),
      file('lib/archives/tar.ts'),
      use('net/b.ts', '../lib/archives/tar.ts'),
      use('http/b.ts', '../lib/archives/zip.ts'),
    ),
    [],
  )
})
