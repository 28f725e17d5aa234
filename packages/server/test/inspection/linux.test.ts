import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { missing, run, runText, temporaryFolder } from './programs.ts'
import { zipFile } from './zip-file.ts'

describe('Debian packages', { skip: missing('dpkg-deb') }, () => {
  const control = `Package: quay-sample
Version: 1:2.3-4~rc1
Architecture: arm64
Maintainer: Zoë Example <zoe@example.com>
Description: Sample
 Architecture: not a field
`
  for (const compression of ['gzip', 'xz', 'zstd', 'none']) {
    test(`reads the same as dpkg-deb with compression ${compression}`, async () => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('root/DEBIAN'), { recursive: true })
      writeFileSync(folder.path('root/DEBIAN/control'), control)
      const deb = folder.path('sample.deb')
      const options = ['--root-owner-group', '--uniform-compression', `-Z${compression}`]
      run('dpkg-deb', [...options, '--build', folder.path('root'), deb])
      const fields = ['Package', 'Version', 'Maintainer', 'Architecture']
      const [name, version, publisher, architecture] = fields.map((field) =>
        runText('dpkg-deb', ['--field', deb, field]).trim(),
      )
      assert.deepEqual(await packageInfo(readFileSync(deb)), {
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
  test('reads the same as rpm', async () => {
    using folder = temporaryFolder()
    writeFileSync(
      folder.path('sample.spec'),
      `Name: quay-sample
Version: 1.2.3
Release: 4
Epoch: 2
Summary: Sample
License: MIT
Vendor: Zoë Example
%description
Sample
%files
`,
    )
    run('rpmbuild', ['--quiet', '-bb', '--define', `_topdir ${folder.path('.')}`, folder.path('sample.spec')])
    const [path = ''] = runText('find', [folder.path('RPMS'), '-name', '*.rpm']).split('\n')
    const format = '%{NAME}\\n%{EPOCH}:%{VERSION}\\n%{RELEASE}\\n%{VENDOR}\\n%{ARCH}'
    const [name, version, release, vendor, architecture] = runText('rpm', [
      '--query',
      '--package',
      '--queryformat',
      format,
      path,
    ]).split('\n')
    const info = await packageInfo(readFileSync(path))
    assert.deepEqual([info.name, info.version, info.build_number, info.publisher], [name, version, release, vendor])
    assert.deepEqual(info.architectures, [architecture === 'aarch64' ? 'arm64v8' : 'x64'])
  })
})

describe('Java archives', () => {
  test('reads attributes that continue on the next line', async () => {
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
