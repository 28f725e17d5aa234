import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readPackage } from '../../../web/src/upload/package/read-package.ts'
import { buildApk, buildBundle, missingSamples, publishedApks, publishedIcon } from './android-packages.ts'
import { binaryPlist, infoPlist, ipaFile, xmlPlist } from './apple-packages.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { androidFramework, missing, temporaryFolder } from './programs.ts'
import { publishedExecutables } from './windows-packages.ts'

const androidTools = { skip: missing('aapt2', 'apksigner', 'unzip', 'zip', androidFramework) }

/** Returns what the console and the server read from a package. */
async function readBoth(bytes: Buffer, filename: string) {
  const content = await readPackage(new Blob([Uint8Array.from(bytes)]), filename)
  const {
    file_info: file,
    ios_info: ios,
    android_info: android,
  } = await inspectBytes(bytes, filename.split('.').at(-1) ?? '')
  return {
    console: [content?.version, content?.buildNumber, content?.packageName],
    server: [file?.version ?? '', file?.build_number ?? '', ios?.bundle_id ?? android?.package_name ?? ''],
    content,
  }
}

for (const [scheme, path] of Object.entries(publishedApks)) {
  const skip = scheme === 'v3' && missingSamples
  test(
    `reads the same version and package name as the server from a published APK with a ${scheme} signature`,
    { skip },
    async () => {
      const both = await readBoth(readFileSync(path), 'app.apk')
      assert.deepEqual(both.console, both.server)
      assert.equal(both.content?.platform, 'android')
    },
  )
}

test('reads the build number and package name of an APK and an app bundle', androidTools, async () => {
  using folder = temporaryFolder()
  const apk = buildApk(folder.path, publishedIcon())
  const files = [
    { filename: 'app.apk', bytes: readFileSync(apk) },
    { filename: 'app.aab', bytes: buildBundle(folder.path, apk) },
  ]
  for (const { filename, bytes } of files) {
    const { console, server, content } = await readBoth(bytes, filename)
    // The version of this package is a reference to a resource.
    assert.deepEqual([filename, ...console], [filename, '', ...server.slice(1)])
    assert.equal(content?.platform, 'android')
  }
})

test(
  'reads the same version and bundle identifier from an iOS application as the server',
  { skip: missing('plistutil') },
  async () => {
    for (const info of [Buffer.from(infoPlist), binaryPlist(infoPlist)]) {
      const both = await readBoth(ipaFile({ info }), 'App.ipa')
      assert.deepEqual(both.console, both.server)
    }
  },
)

test('recognizes an application for Apple TV', async () => {
  const info = xmlPlist(`<dict><key>CFBundleShortVersionString</key><string>3.1</string>
    <key>CFBundleIdentifier</key><string>com.example.tv</string>
    <key>CFBundleSupportedPlatforms</key><array><string>AppleTVOS</string></array></dict>`)
  const content = await readPackage(
    new Blob([Uint8Array.from(ipaFile({ info: Buffer.from(info) }))]),
    'a.ipa',
  )
  assert.deepEqual(content, {
    platform: 'apple-tv',
    packageName: 'com.example.tv',
    version: '3.1',
    buildNumber: '',
    icon: null,
  })
})

test('reads the version of published Windows programs', async () => {
  for (const path of Object.values(publishedExecutables).flat()) {
    const content = await readPackage(new Blob([Uint8Array.from(readFileSync(path))]), 'setup.exe')
    assert.match(content?.version ?? '0.0.0', /^\d+\.\d+\.\d+$/)
  }
})

test('rejects damaged packages in little time', async () => {
  const original = ipaFile({ info: Buffer.from(infoPlist) })
  for (let cut = 1; cut < original.length; cut += Math.ceil(original.length / 200)) {
    const truncated = original.subarray(0, original.length - cut)
    const changed = Buffer.from(original).fill(0xff, cut, Math.min(cut + 8, original.length))
    for (const bytes of [truncated, changed])
      await readPackage(new Blob([Uint8Array.from(bytes)]), 'App.ipa').catch(() => undefined)
  }
})
