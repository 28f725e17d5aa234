import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildWithFiles } from './build-files.ts'
import { choicesOf } from './choose-file.ts'

const buildOf = (filename: string, universalApk?: string) =>
  ({
    build: { id: filename, platform: 'android' },
    primary: { filename, role: 'primary' },
    expansions: [],
    universalApk: universalApk && { filename: universalApk, role: 'universal_apk' },
  }) as unknown as BuildWithFiles

const [bundle, apk] = [buildOf('app.aab'), buildOf('app.apk')]

test('offers the APK first on an Android device if a release also has an app bundle', () => {
  for (const builds of [
    [bundle, apk],
    [apk, bundle],
    [apk, buildOf('app.aab', 'universal.apk')],
  ]) {
    const { main, isForDevice, others } = choicesOf(builds, 'android')
    assert.deepEqual([main?.file.filename, isForDevice], ['app.apk', true])
    assert.ok(others.some(({ file }) => file.filename === 'app.aab'))
  }
})

test('offers the universal APK of the only build, and no file if there is a choice between APKs', () => {
  assert.equal(
    choicesOf([buildOf('app.aab', 'universal.apk')], 'android').main?.file.filename,
    'universal.apk',
  )
  assert.equal(choicesOf([bundle], 'android').isOnlyBundle, true)
  assert.equal(choicesOf([apk, buildOf('other.apk'), bundle], 'android').main, undefined)
})
