import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { emptyInspection, InspectionError, type Inspection } from '../../src/inspection/inspection.ts'
import { tarEntry } from '../hostile/package-files.ts'
import { publishedApks, publishedIcon } from './android-packages.ts'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { appImageRuntime, buildAppImage } from './linux-packages.ts'
import { missing, run, temporaryFolder } from './programs.ts'
import { publishedExecutables } from './windows-packages.ts'
import { zipFile, type ZipEntry } from './zip-file.ts'

const program = readFileSync(publishedExecutables.signtool)
const xapkManifest = {
  xapk_version: 2,
  package_name: 'com.example.quay',
  name: 'Quay',
  version_code: '42',
  version_name: '1.2.3',
  min_sdk_version: '21',
  permissions: ['android.permission.CAMERA'],
}

/** Files of other archives by the format that has files of the same names. */
const similar: Record<string, ZipEntry[]> = {
  'xapk without JSON': [
    { name: 'manifest.json', data: 'name: my game' },
    { name: 'app.apk', data: 'junk' },
  ],
  'xapk with another manifest': [
    { name: 'manifest.json', data: '{"manifest_version":3,"name":"An extension"}' },
    { name: 'app.apk', data: 'junk' },
  ],
  'xapk with only a package name': [
    { name: 'manifest.json', data: '{"package_name":"com.example.quay"}' },
    { name: 'app.apk', data: 'junk' },
  ],
  'xapk with a junk APK': [
    { name: 'manifest.json', data: JSON.stringify(xapkManifest) },
    { name: 'app.apk', data: 'junk' },
  ],
  'apks with a junk APK': [
    { name: 'toc.pb', data: 'junk' },
    { name: 'universal.apk', data: 'junk' },
  ],
  'appx without XML': [{ name: 'AppxManifest.xml', data: 'junk' }],
  'appx with other XML': [{ name: 'AppxManifest.xml', data: '<html/>' }],
  'appxbundle without XML': [{ name: 'AppxMetadata/AppxBundleManifest.xml', data: 'junk' }],
  'appxbundle with other XML': [{ name: 'AppxMetadata/AppxBundleManifest.xml', data: '<Bundle/>' }],
  'nupkg without XML': [{ name: '[Content_Types].xml' }, { name: 'a.nuspec', data: 'junk' }],
  'nupkg with other XML': [{ name: '[Content_Types].xml' }, { name: 'a.nuspec', data: '<package/>' }],
  'whl without fields': [
    { name: 'quay-1.dist-info/METADATA', data: 'junk' },
    { name: 'quay-1.dist-info/WHEEL', data: 'junk' },
  ],
  'app without a property list': [{ name: 'Quay.app/Contents/Info.plist', data: 'junk' }],
  'jar with an encrypted manifest': [
    { name: 'META-INF/MANIFEST.MF', data: 'junk', isDeflated: true, flags: 1 },
  ],
  'installed wheels': ['quay-1', 'requests-2'].flatMap((name) => [
    { name: `${name}.dist-info/METADATA`, data: 'Metadata-Version: 2.1\nName: quay\nVersion: 1\n' },
    { name: `${name}.dist-info/WHEEL`, data: 'Wheel-Version: 1.0\n' },
  ]),
  'one installed wheel': [
    { name: 'quay-1.dist-info/METADATA', data: 'Metadata-Version: 2.1\nName: quay\nVersion: 1\n' },
    { name: 'quay-1.dist-info/WHEEL', data: 'Wheel-Version: 1.0\n' },
    { name: 'quay-1.dist-info/INSTALLER', data: 'pip\n' },
  ],
}

describe('archives with files that are named as in a package', () => {
  for (const [name, entries] of Object.entries(similar))
    test(`reads the main program of an archive that resembles ${name}`, async () => {
      const expected = await packageInfo(program)
      const archive = zipFile([...entries, { name: 'tool.exe', data: program, isDeflated: true }])
      for (const filetype of ['none', 'zip']) assert.deepEqual(await packageInfo(archive, filetype), expected)
    })

  test('rejects a damaged package whose file type declares its format', async () => {
    for (const [filetype, entries] of [
      ['msix', similar['appx without XML']],
      ['appx', similar['appx with other XML']],
      ['msixbundle', similar['appxbundle without XML']],
      ['app', similar['app without a property list']],
    ] as const)
      await assert.rejects(inspectBytes(zipFile(entries ?? []), filetype), InspectionError, filetype)
  })

  test('reads the main program of a tar archive with the metadata of a private npm package', async () => {
    const expected = await packageInfo(program)
    for (const manifest of ['junk', '{"private":true}']) {
      const files = [
        tarEntry('package/package.json', Buffer.from(manifest)),
        tarEntry('quay-1/PKG-INFO', Buffer.from('junk')),
        tarEntry('package/tool.exe', program),
      ]
      assert.deepEqual(await packageInfo(gzipSync(Buffer.concat(files))), expected)
    }
  })

  test(
    'reads nothing from archives that require more memory or another decoder',
    { skip: missing('tar', 'xz', 'zstd') },
    async () => {
      const tar = Buffer.concat([tarEntry('tool.exe', program), Buffer.alloc(1024)])
      for (const [name, ...args] of [
        ['xz', '--lzma2=dict=128MiB'],
        ['xz', '--x86', '--lzma2'],
        ['xz', '--check=sha256'],
        ['zstd', '--ultra', '--long=31'],
      ] as const)
        assert.deepEqual(await inspectBytes(run(name, ['-c', ...args], tar), 'none'), emptyInspection, name)
    },
  )

  test(
    'reads an AppImage in a tar archive if both are compressed with XZ',
    { skip: missing('mksquashfs') },
    async () => {
      using folder = temporaryFolder()
      const image = buildAppImage(folder.path, 'xz', publishedIcon())
      // The archive does not end with the program.
      const files = [tarEntry('Quay.AppImage', image), tarEntry('data', randomBytes(2 ** 20))]
      const found = await packageInfo(run('xz', ['-c'], Buffer.concat(files)))
      assert.deepEqual([found.format, found.name], ['appimage', 'Quay Sample'])
    },
  )

  test(
    'returns nothing for a squashfs file system that is not a snap',
    { skip: missing('mksquashfs') },
    async () => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('root/meta'), { recursive: true })
      writeFileSync(folder.path('root/meta/readme'), 'not a snap')
      run('mksquashfs', [folder.path('root'), folder.path('image'), '-quiet', '-no-progress'])
      const bytes = readFileSync(folder.path('image'))
      assert.equal((await inspectBytes(bytes, 'none')).file_info, null)
      await assert.rejects(inspectBytes(bytes, 'snap'), InspectionError)
    },
  )

  test('reads only the architecture of an AppImage with another file system', async () => {
    const info = await packageInfo(
      Buffer.concat([appImageRuntime(), Buffer.from('DWARFS'), Buffer.alloc(5000)]),
    )
    assert.equal(info.format, 'appimage')
    assert.equal(info.architectures.length, 1)
  })
})

describe('archives of APKs', () => {
  const tooLarge = { isDeflated: true, data: 'a', sizeBytes: 400 * 2 ** 20 }

  test('returns what the manifest of an XAPK states about a base APK that does not fit into memory', async () => {
    const xapk = zipFile([
      { name: 'manifest.json', data: JSON.stringify(xapkManifest) },
      { name: 'com.example.quay.apk', ...tooLarge },
      { name: 'config.arm64_v8a.apk' },
    ])
    const found = await inspectBytes(xapk, 'none')
    assert.deepEqual(found.file_info, {
      format: 'xapk',
      name: 'Quay',
      version: '1.2.3',
      build_number: '42',
      publisher: null,
      minimum_os: 'API 21',
      signer: null,
      signature_status: 'unknown',
      architectures: ['arm64v8'],
      dependencies: [],
    })
    assert.equal(found.android_info, null)
  })

  test('returns the architectures of an APK set whose base APK does not fit into memory', async () => {
    const found = await packageInfo(
      zipFile([{ name: 'toc.pb' }, { name: 'universal.apk', ...tooLarge }, { name: 'splits/base-x86.apk' }]),
    )
    assert.deepEqual(
      [found.format, found.signature_status, found.architectures],
      ['apks', 'unknown', ['x86']],
    )
  })

  test('reads a base APK of any size that is stored without compression', async () => {
    const apk = readFileSync(publishedApks.v2)
    const xapk = zipFile([
      { name: 'manifest.json', data: JSON.stringify(xapkManifest) },
      { name: 'com.example.quay.apk', data: apk },
    ])
    const expected: Inspection = await inspectBytes(apk, 'apk')
    const found = await inspectBytes(xapk, 'none')
    assert.deepEqual(found.android_info, expected.android_info)
    assert.equal(found.file_info?.signature_status, 'valid')
  })

  test('reads the architectures of all splits for native libraries', async () => {
    const splits = {
      'base-arm64_v8a.apk': 'arm64v8',
      'config.armeabi.apk': 'armv5',
      'base-armeabi_v7a_2.apk': 'armv7',
      'config.mips.apk': 'mips',
      'config.mips64.apk': 'mips64',
      'base-riscv64.apk': 'risc-v64',
      'base-x86.apk': 'x86',
      'config.x86_64.apk': 'x64',
    }
    for (const [name, architecture] of Object.entries(splits)) {
      const set = zipFile([
        { name: 'toc.pb' },
        { name: 'splits/base-master.apk', ...tooLarge },
        { name: `splits/${name}` },
        { name: 'splits/base-de.apk' },
      ])
      assert.deepEqual((await packageInfo(set)).architectures, [architecture], name)
    }
  })
})

test('recognizes a web application without a manifest', async () => {
  const found = await packageInfo(
    zipFile([
      { name: 'WEB-INF/', data: '' },
      { name: 'WEB-INF/web.xml', data: '<web-app/>' },
      { name: 'index.jsp', data: 'Hello' },
    ]),
  )
  assert.deepEqual([found.format, found.name, found.signature_status], ['war', null, 'unsigned'])
})
