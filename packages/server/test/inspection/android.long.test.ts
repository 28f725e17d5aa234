import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { appBundle } from '../app-bundle.ts'
import { buildApk, buildBundle, missingSamples, publishedApks, publishedIcon } from './android-packages.ts'
import { inspectBytes, inspectPath } from './inspect-bytes.ts'
import {
  androidFramework,
  createCertificate,
  createKeystore,
  missing,
  run,
  runText,
  temporaryFolder,
} from './programs.ts'
import { zipFile } from './zip-file.ts'

const tools = ['aapt2', 'apksigner', 'openssl', 'unzip', 'zip']

/** Returns the metadata that aapt2 reads from an APK. */
function badging(apk: string) {
  const output = runText('aapt2', ['dump', 'badging', apk])
  const first = (pattern: RegExp) => pattern.exec(output)?.[1] || null
  const number = (pattern: RegExp) => (first(pattern) === null ? null : Number(first(pattern)))
  const permissions = [...output.matchAll(/^uses-permission(?:-sdk-23)?: name='([^']+)'/gm)].map(
    ([, name]) => name,
  )
  return {
    label: first(/^application: label='([^']*)'/m),
    info: {
      package_name: first(/^package: name='([^']*)'/m),
      minimum_api: number(/^sdkVersion:'(\d+)'/m),
      target_api: number(/^targetSdkVersion:'(\d+)'/m),
      version_name: first(/ versionName='([^']*)'/),
      version_code: number(/ versionCode='(\d+)'/),
      is_debuggable: /^application-debuggable$/m.test(output),
      permissions: [...new Set(permissions)],
    },
  }
}

/** Returns the SHA-256 of the certificate with which apksigner verifies an APK. */
function verifiedCertificate(apk: string): string | undefined {
  const output = runText('apksigner', ['verify', '--print-certs', apk])
  return /certificate SHA-256 digest: ([0-9a-f]{64})/.exec(output)?.[1]
}

describe('Android packages', { skip: missing(...tools, androidFramework) }, () => {
  for (const [scheme, path] of Object.entries(publishedApks)) {
    const skip = scheme === 'v3' && missingSamples
    test(
      `agrees with aapt2 and apksigner on a published APK with a ${scheme} signature`,
      { skip },
      async () => {
        const { android_info: info, file_info: file } = await inspectPath(path, 'apk')
        const { label, info: expected } = badging(path)
        assert.deepEqual(info, {
          ...expected,
          package_signed: true,
          signing_cert_sha256: verifiedCertificate(path),
        })
        assert.deepEqual([file?.name, file?.version], [label, expected.version_name])
      },
    )
  }

  test('resolves references to resources and lists each permission once', async () => {
    using folder = temporaryFolder()
    const apk = buildApk(folder.path, publishedIcon())
    const { android_info: info, file_info: file } = await inspectPath(apk, 'apk')
    const { info: expected } = badging(apk)
    assert.deepEqual(info, {
      ...expected,
      version_name: '2.3.4-rc.1',
      // aapt2 prints only the lower 32 bits.
      version_code: 2 ** 32 + 7,
      is_debuggable: true,
      package_signed: false,
      signing_cert_sha256: null,
    })
    assert.deepEqual(
      [file?.name, file?.build_number, file?.minimum_os],
      ['Quayside Sample', '4294967303', 'API 24'],
    )
  })

  test('uses the bitmap of an adaptive icon', async () => {
    using folder = temporaryFolder()
    const apk = buildApk(folder.path, publishedIcon())
    const { icon } = await inspectPath(apk, 'apk')
    // aapt2 compresses PNG images again.
    const expected = run('unzip', ['-p', apk, 'res/drawable-xhdpi-v4/foreground.png'])
    assert.deepEqual(icon, { media_type: 'image/png', base64: expected.toString('base64') })
  })

  test('uses the icon of the highest density', async () => {
    const { icon } = await inspectPath(publishedApks.v2, 'apk')
    const expected = run('unzip', ['-p', publishedApks.v2, 'res/drawable-xxxhdpi-v4/ic_launcher.png'])
    assert.equal(icon?.base64, expected.toString('base64'))
  })

  for (const [scheme, keyType] of [
    ['v1', 'rsa:2048'],
    ['v2', 'rsa:2048'],
    ['v3', 'ec'],
  ] as const) {
    test(`reads the certificate of an APK signed only with scheme ${scheme} and a key of type ${keyType}`, async () => {
      using folder = temporaryFolder()
      const apk = buildApk(folder.path, publishedIcon())
      const { key, certificate, sha256 } = createCertificate(
        folder.path,
        '/O=Example Ltd/CN=Quay Signer',
        keyType,
      )
      const schemes = ['v1', 'v2', 'v3'].flatMap((one) => [
        `--${one}-signing-enabled`,
        String(one === scheme),
      ])
      const signed = folder.path('signed.apk')
      const keys = ['--key', key, '--cert', certificate]
      run('apksigner', ['sign', ...keys, ...schemes, '--v4-signing-enabled', 'false', '--out', signed, apk])
      const { android_info: info, file_info: file } = await inspectPath(signed, 'apk')
      assert.deepEqual([info?.package_signed, info?.signing_cert_sha256], [true, sha256])
      assert.equal(file?.signer, 'Quay Signer')
    })
  }

  test('returns the same metadata for an app bundle as for its APK', async () => {
    using folder = temporaryFolder()
    const apk = buildApk(folder.path, publishedIcon())
    const bundle = buildBundle(folder.path, apk)
    const fromApk = await inspectPath(apk, 'apk')
    assert.deepEqual(await inspectBytes(bundle, 'aab'), {
      ...fromApk,
      file_info: { ...fromApk.file_info, format: 'aab', architectures: ['arm64v8'] },
    })
  })

  test('reports the signature of an APK as invalid if its block is damaged', async () => {
    const published = readFileSync(publishedApks.v2)
    const magic = published.lastIndexOf('APK Sig Block 42')
    const wrongSize = Buffer.from(published)
    wrongSize.writeBigUInt64LE(2n ** 40n, magic - 8)
    // The first digest starts 32 bytes after the start of the scheme ID, so byte 40 is part of it.
    const block = published.indexOf(
      Buffer.from('1a870971', 'hex'),
      magic - Number(published.readBigUInt64LE(magic - 8)),
    )
    const wrongDigest = Buffer.from(published)
    wrongDigest.writeUInt8((published[block + 40] ?? 0) ^ 1, block + 40)
    for (const apk of [wrongSize, wrongDigest]) {
      const { android_info: info, file_info: file } = await inspectBytes(apk, 'apk')
      assert.deepEqual([info?.package_signed, info?.signing_cert_sha256], [false, null])
      assert.deepEqual([file?.signature_status, file?.signer], ['invalid', null])
    }
  })
})

describe('files of another format', () => {
  test('are rejected with the name of the missing file', async () => {
    const ipa = readFileSync(publishedApks.v2)
    await assert.rejects(inspectBytes(ipa, 'aab'), {
      reason: 'The archive does not contain base/manifest/AndroidManifest.xml.',
    })
    await assert.rejects(inspectBytes(ipa, 'ipa'), {
      reason: 'The archive does not contain Payload/*.app/Info.plist.',
    })
    await assert.rejects(inspectBytes(Buffer.from('text'), 'apk'), {
      reason: 'The file is not a ZIP archive.',
    })
  })
})

const bundletool = '/usr/local/share/quayside-test-tools/bundletool.jar'

describe(
  'sets of APKs',
  { skip: missing('aapt2', 'apksigner', 'java', 'openssl', 'unzip', androidFramework) },
  () => {
    test('reads the base APK of a set that bundletool has built', { skip: missing(bundletool) }, async () => {
      using folder = temporaryFolder()
      writeFileSync(folder.path('app.aab'), appBundle)
      const keys = createKeystore(folder.path, '/CN=APK Set Signer')
      const keystore = [`--ks=${keys}`, '--ks-pass=pass:password', '--ks-key-alias=signer']
      for (const mode of ['universal', 'default']) {
        const output = folder.path(`${mode}.apks`)
        const options = [`--bundle=${folder.path('app.aab')}`, `--output=${output}`, `--mode=${mode}`]
        run('java', ['-Xmx256m', '-jar', bundletool, 'build-apks', ...options, ...keystore])
        const found = await inspectPath(output, 'none')
        const apk = mode === 'universal' ? 'universal.apk' : 'splits/base-master.apk'
        writeFileSync(folder.path('base.apk'), run('unzip', ['-p', output, apk]))
        const badging = runText('aapt2', ['dump', 'badging', folder.path('base.apk')])
        const [, name, code, version] =
          /name='([^']*)' versionCode='(\d+)' versionName='([^']*)'/.exec(badging) ?? []
        assert.deepEqual(
          [
            found.android_info?.package_name,
            String(found.android_info?.version_code),
            found.file_info?.version,
          ],
          [name, code, version],
        )
        assert.deepEqual(
          [found.file_info?.format, found.file_info?.signature_status, found.file_info?.signer],
          ['apks', 'valid', 'APK Set Signer'],
        )
      }
    })

    test('reads the base APK that the manifest of an XAPK file names, and all architectures', async () => {
      using folder = temporaryFolder()
      const icon = publishedIcon()
      const apk = readFileSync(buildApk(folder.path, icon))
      const expected = await inspectBytes(apk, 'apk')
      const manifest = {
        xapk_version: 2,
        package_name: 'com.example.quay',
        version_code: '999',
        split_apks: [
          { file: 'com.example.quay.apk', id: 'base' },
          { file: 'config.arm64_v8a.apk', id: 'config.arm64_v8a' },
        ],
      }
      const xapk = zipFile([
        { name: 'config.arm64_v8a.apk', data: 'not read' },
        { name: 'com.example.quay.apk', data: apk, isDeflated: true },
        { name: 'manifest.json', data: JSON.stringify(manifest) },
      ])
      const found = await inspectBytes(xapk, 'none')
      assert.deepEqual(found.android_info, expected.android_info)
      assert.deepEqual(found.file_info, { ...expected.file_info, format: 'xapk', architectures: ['arm64v8'] })
      assert.deepEqual(found.icon, expected.icon)
    })
  },
)
