import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { emptyInspection } from '../../src/inspection/inspection.ts'
import { linuxArchitectures } from '../../src/inspection/linux/architectures.ts'
import { publishedIcon } from './android-packages.ts'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { buildAppImage, buildDeb, buildFlatpak, buildRpm, buildSnap } from './linux-packages.ts'
import { createKeystore, createPgpKey, missing, run, runText, temporaryFolder } from './programs.ts'
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
        signature_status: 'unsigned',
        architectures: [architecture === 'arm64' ? 'arm64v8' : ''],
        dependencies: [],
      })
      const { deb_control: control } = await inspectBytes(deb, 'deb')
      const stanza = control?.map(({ name: field, value }) => `${field}: ${value}`).join('\n')
      assert.equal(stanza, runText('dpkg-deb', ['--field', folder.path('sample.deb')]).trim())
    })
  }

  test('reports the key ID of a signature without verifying it', { skip: missing('gpg') }, async () => {
    using folder = temporaryFolder()
    const deb = buildDeb(folder.path, 'gzip')
    using pgp = createPgpKey(folder.path)
    for (const options of [[], ['--armor'], ['--clearsign']]) {
      const signature = pgp.sign(deb, ...options)
      const length = String(signature.length).padEnd(10)
      const header = Buffer.from(`_gpgorigin      0           0     0     100644  ${length}\`\n`)
      const info = await packageInfo(Buffer.concat([deb, header, signature]))
      assert.deepEqual([info.signer, info.signature_status], [`Key ID ${pgp.keyId}`, 'unknown'])
    }
  })
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
    assert.deepEqual([info.signer, info.signature_status], [null, 'unsigned'])
  })

  test('agrees with rpm on what the metadata of a repository contains', async () => {
    using folder = temporaryFolder()
    const path = buildRpm(folder.path)
    const { rpm_header: header } = await inspectBytes(readFileSync(path), 'rpm')
    const query = (format: string) => runText('rpm', ['--query', '--package', '--queryformat', format, path])
    const relations = (tag: string) =>
      query(`[%{${tag}NAME}|%{${tag}FLAGS}|%{${tag}VERSION}\\n]`)
        .split('\n')
        .filter((line) => line !== '')
    for (const [name, tag] of [
      ['provides', 'PROVIDE'],
      ['requires', 'REQUIRE'],
      ['conflicts', 'CONFLICT'],
      ['obsoletes', 'OBSOLETE'],
      ['recommends', 'RECOMMEND'],
      ['suggests', 'SUGGEST'],
    ] as const) {
      const expected = relations(tag)
      assert.ok(expected.length > 0, name)
      assert.deepEqual(
        header?.[name].map((found) => [found.name, found.flags, found.version].join('|')),
        expected,
      )
    }
    const tags =
      'NAME EPOCH VERSION RELEASE ARCH SUMMARY LICENSE GROUP URL VENDOR BUILDHOST BUILDTIME SOURCERPM SIZE ARCHIVESIZE'
    const values = query(
      tags
        .split(' ')
        .map((tag) => `%{${tag}}`)
        .join('\\n'),
    ).split('\n')
    assert.deepEqual(
      [
        header?.name,
        header?.epoch,
        header?.version,
        header?.release,
        header?.architecture,
        header?.summary,
        header?.license,
        header?.group,
        header?.url,
        header?.vendor,
        header?.build_host,
        header?.build_time,
        header?.source_rpm,
        header?.installed_size,
        // rpm prints the size that the signature header contains.
        values.at(-1),
      ].map(String),
      values,
    )
    assert.equal(header?.description, query('%{DESCRIPTION}'))
    assert.deepEqual(header?.files, ['/etc/quay.conf', '/usr/bin/quay'])
    const headerBytes = readFileSync(path).subarray(header?.header_start, header?.header_end)
    assert.equal(headerBytes.toString('hex', 0, 3), '8eade8')
  })

  test('agrees with rpm on the key ID of a signature', { skip: missing('gpg', 'rpmsign') }, async () => {
    using folder = temporaryFolder()
    const path = buildRpm(folder.path)
    using pgp = createPgpKey(folder.path)
    const macros = [`_gpg_path ${pgp.home}`, '_gpg_name Quay', '__gpg /usr/bin/gpg'].flatMap((macro) => [
      '--define',
      macro,
    ])
    run('rpmsign', ['--addsign', ...macros, path])
    const [, keyId] = /Key ID ([0-9a-f]{16})/.exec(runText('rpm', ['-qpi', '--nosignature', path])) ?? []
    const info = await packageInfo(readFileSync(path))
    assert.deepEqual([info.signer, info.signature_status], [`Key ID ${keyId}`, 'unknown'])
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
      [info.name, info.version, info.publisher, info.signature_status],
      ['Quayside Sample with a name that is longer than one line', '4.5.6', 'Example Ltd', 'unsigned'],
    )
  })

  test('verifies every file of a signed archive', { skip: missing('jarsigner', 'openssl') }, async () => {
    using folder = temporaryFolder()
    const keys = createKeystore(folder.path, '/CN=Jar Signer')
    const keystore = ['-storetype', 'PKCS12', '-keystore', keys, '-storepass', 'password']
    const files = [
      { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0\r\n\r\n' },
      { name: 'META-INF/services/com.example.Service', data: 'com.example.Implementation' },
      { name: `com/example/${'long-name/'.repeat(8)}Söhne.class`, data: 'class' },
      { name: 'large.bin', data: Buffer.alloc(2_500_000, 'random?'), isDeflated: true },
    ]
    const jar = folder.path('sample.jar')
    writeFileSync(jar, zipFile(files))
    run('jarsigner', [...keystore, jar, 'signer'])
    const info = await packageInfo(readFileSync(jar), 'jar')
    assert.deepEqual([info.signer, info.signature_status], ['Jar Signer', 'valid'])

    const part = (name: string) => run('unzip', ['-p', jar, name])
    const names = ['META-INF/MANIFEST.MF', 'META-INF/SIGNER.SF', 'META-INF/SIGNER.RSA']
    const signed = [...names.map((name) => ({ name, data: part(name) })), ...files.slice(1)]
    const statusOf = async (entries: typeof signed) =>
      (await packageInfo(zipFile(entries), 'jar')).signature_status
    assert.equal(await statusOf(signed), 'valid')
    assert.equal(await statusOf([...signed, { name: 'added.class', data: 'class' }]), 'invalid')
    assert.equal(await statusOf(signed.slice(0, -1)), 'invalid')
    for (const { name } of signed) {
      const changed = signed.map((entry) =>
        entry.name === name
          ? { ...entry, data: Buffer.concat([Buffer.from(entry.data), Buffer.from('x: y')]) }
          : entry,
      )
      // A CMS message may be followed by other bytes.
      assert.equal(await statusOf(changed), name.endsWith('.RSA') ? 'valid' : 'invalid', name)
    }
  })
})

test('maps the architectures of packages to those of the catalog', () => {
  for (const [names, architecture] of [
    ['mips mipsel', 'mips'],
    ['mips64 mips64el', 'mips64'],
    ['riscv64', 'risc-v64'],
    // The catalog has no entry for the byte order.
    ['ppc64 ppc64el ppc64le', 'ppc64'],
    ['armel', 'armv5'],
    ['armv6hl', 'armv6'],
    ['loong64 loongarch64', 'loongarch'],
  ] as const)
    for (const name of names.split(' ')) assert.deepEqual(linuxArchitectures(name), [architecture], name)
  assert.deepEqual(linuxArchitectures('all'), [])
})

test('returns nothing for files of an unknown format', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('text'), zipFile([{ name: 'readme.txt', data: 'text' }])])
    assert.deepEqual(await inspectBytes(bytes, 'zip'), emptyInspection)
})

describe('snaps', { skip: missing('mksquashfs', 'unsquashfs', 'unzip', 'python3') }, () => {
  for (const compression of ['xz', 'lzo', 'zstd', 'gzip', 'lz4']) {
    test(`agrees with unsquashfs on a snap with ${compression} compression`, async () => {
      using folder = temporaryFolder()
      const icon = publishedIcon()
      const found = await inspectBytes(buildSnap(folder.path, compression, icon), 'snap')
      const manifest = runText('unsquashfs', ['-cat', folder.path('quay.snap'), 'meta/snap.yaml'])
      const [, version] = /^version: '(.*)' #/m.exec(manifest) ?? []
      assert.deepEqual(found.file_info, {
        format: 'snap',
        name: "Quay's Sample",
        version,
        build_number: null,
        publisher: null,
        minimum_os: null,
        signer: null,
        signature_status: null,
        architectures: ['x64', 'arm64v8'],
        dependencies: ['core22'],
      })
      assert.deepEqual(found.icon, { media_type: 'image/png', base64: icon.toString('base64') })
    })
  }

  test('reads nothing from other squashfs file systems', async () => {
    using folder = temporaryFolder()
    buildAppImage(folder.path, 'gzip', publishedIcon())
    assert.equal(
      (await inspectBytes(readFileSync(folder.path('sample.squashfs')), 'squashfs')).file_info,
      null,
    )
  })
})

describe('Flatpak bundles', { skip: missing('flatpak', 'gzip', 'unzip') }, () => {
  test('reads what flatpak has put into a bundle', async () => {
    using folder = temporaryFolder()
    const icon = publishedIcon()
    const found = await inspectBytes(buildFlatpak(folder.path, icon), 'flatpak')
    assert.deepEqual(found.file_info, {
      format: 'flatpak',
      name: 'Quay Sample',
      version: '4.5.6',
      build_number: null,
      publisher: 'Example Ltd',
      minimum_os: null,
      signer: null,
      signature_status: null,
      architectures: ['x64'],
      dependencies: ['org.example.Platform/x86_64/23.08'],
    })
    assert.deepEqual(found.icon, { media_type: 'image/png', base64: icon.toString('base64') })
  })
})
