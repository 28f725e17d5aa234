import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { publishedIcon } from './android-packages.ts'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { buildAppImage, buildDeb, buildRpm } from './linux-packages.ts'
import { missing, runText, temporaryFolder } from './programs.ts'
import { zipFile } from './zip-file.ts'

describe('Debian packages', { skip: missing('dpkg-deb') }, () => {
  for (const compression of ['gzip', 'xz', 'zstd', 'none']) {
    test(`agrees with dpkg-deb on a package with ${compression} compression`, async () => {
      using folder = temporaryFolder()
      const deb = buildDeb(folder.path, compression)
      const fields = ['Package', 'Version', 'Maintainer', 'Architecture']
      const [name, version, publisher, architecture] = fields.map((field) =>
        runText('dpkg-deb', ['--field', folder.path('sample.deb'), field]).trim(),
      )
      assert.deepEqual(await packageInfo(deb), {
        format: 'deb',
        name,
        version,
        build_number: null,
        publisher,
        minimum_os: null,
        signer: null,
        architectures: [architecture === 'arm64' ? 'arm64v8' : ''],
      })
    })
  }
})

describe('RPM packages', { skip: missing('rpmbuild', 'rpm') }, () => {
  test('agrees with rpm', async () => {
    using folder = temporaryFolder()
    const path = buildRpm(folder.path)
    const format = '%{NAME}\\n%{EPOCH}:%{VERSION}\\n%{RELEASE}\\n%{VENDOR}\\n%{ARCH}'
    const [name, version, release, vendor, architecture] = runText('rpm', [
      '--query',
      '--package',
      '--queryformat',
      format,
      path,
    ]).split('\n')
    const info = await packageInfo(readFileSync(path))
    assert.deepEqual(
      [info.name, info.version, info.build_number, info.publisher],
      [name, version, release, vendor],
    )
    assert.deepEqual(info.architectures, [architecture === 'aarch64' ? 'arm64v8' : 'x64'])
  })
})

describe('AppImages', { skip: missing('mksquashfs', 'unsquashfs', 'unzip') }, () => {
  for (const compression of ['gzip', 'xz', 'zstd']) {
    test(`agrees with unsquashfs on an AppImage with ${compression} compression`, async () => {
      using folder = temporaryFolder()
      const icon = publishedIcon()
      const bytes = buildAppImage(folder.path, compression, icon)
      const squashfs = folder.path('sample.squashfs')
      const desktop = runText('unsquashfs', ['-cat', squashfs, 'usr/share/applications/quay.desktop'])
      const [, name] = /^Name=(.*)$/m.exec(desktop) ?? []
      const found = await inspectBytes(bytes, 'appimage')
      assert.deepEqual([found.file_info?.name, found.file_info?.version], [name, '7.8.9'])
      assert.deepEqual(found.icon, { media_type: 'image/png', base64: icon.toString('base64') })
      assert.equal(found.file_info?.architectures.length, 1)
    })
  }
})

describe('Java archives', () => {
  test('reads attributes with continuation lines', async () => {
    const manifest = [
      'Manifest-Version: 1.0',
      'Implementation-Title: Quayside Sample with a name that is longe',
      ' r than one line',
      'Bundle-Version: 9.9',
      'Implementation-Version: 4.5.6',
      'Implementation-Vendor: Example Ltd',
      '',
      'Name: other/',
      'Implementation-Title: Other',
      '',
    ].join('\r\n')
    const jar = zipFile([{ name: 'META-INF/MANIFEST.MF', data: manifest, isDeflated: true }])
    const info = await packageInfo(jar, 'jar')
    assert.deepEqual(
      [info.name, info.version, info.publisher, info.signer],
      ['Quayside Sample with a name that is longer than one line', '4.5.6', 'Example Ltd', null],
    )
  })
})

test('returns nothing for files of an unknown format', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('text'), zipFile([{ name: 'readme.txt', data: 'text' }])])
    assert.deepEqual(await inspectBytes(bytes, 'zip'), {
      ios_info: null,
      android_info: null,
      file_info: null,
      icon: null,
    })
})
