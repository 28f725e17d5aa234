import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildWithFiles } from './build-files.ts'
import { choicesOf } from './choose-file.ts'

const buildOf = (filename: string, universalApk?: string, platform = 'android') =>
  ({
    build: { id: filename, platform, architectures: [], android_info: null, file_info: null },
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

test('offers all builds for the device if there are several, and lists the others after them', () => {
  const builds = ['macos', 'linux', 'linux', 'generic'].map((platform, index) =>
    buildOf(`app-${index}`, undefined, platform),
  )
  const namesOf = (choices: { file: { filename: string } }[]) => choices.map(({ file }) => file.filename)
  const { main, forDevice, others } = choicesOf(builds, 'linux')
  assert.deepEqual(
    [main, namesOf(forDevice), namesOf(others)],
    [undefined, ['app-1', 'app-2'], ['app-0', 'app-3']],
  )
  const onMac = choicesOf(builds, 'macos')
  assert.equal(onMac.main?.file.filename, 'app-0')
  assert.deepEqual([namesOf(onMac.forDevice), namesOf(onMac.others)], [[], ['app-1', 'app-2', 'app-3']])
  const onPhone = choicesOf(builds, 'ios')
  assert.deepEqual([onPhone.main, namesOf(onPhone.others).length], [undefined, 4])
})
