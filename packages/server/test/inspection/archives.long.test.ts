import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { publishedIcon } from './android-packages.ts'
import { appxBundleFile, appxFile, nupkgFile, signAppx, signedNupkg, writeFiles } from './archive-packages.ts'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { missing, packageFile, run, runText, succeeds, temporaryFolder } from './programs.ts'
import { publishedExecutables } from './windows-packages.ts'
import { zipFile } from './zip-file.ts'

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('app packages for Windows', { skip: missing('openssl', 'osslsigncode', 'unzip') }, () => {
  test('reads the manifest and the logo', async () => {
    const icon = publishedIcon()
    const found = await inspectBytes(appxFile(icon), 'msix')
    assert.deepEqual(found.file_info, {
      format: 'appx',
      name: 'Quay & Söhne',
      version: '1.2.3.0',
      build_number: null,
      publisher: 'Example Ltd',
      minimum_os: '10.0.17763.0',
      signer: null,
      signature_status: 'unsigned',
      architectures: ['x64'],
      dependencies: ['Microsoft.VCLibs.140.00'],
    })
    assert.equal(found.icon?.base64, icon.toString('base64'))
  })

  test('reads a bundle and its first application', async () => {
    const icon = publishedIcon()
    const found = await inspectBytes(appxBundleFile(icon), 'none')
    assert.deepEqual(
      [found.file_info?.format, found.file_info?.name, found.file_info?.version, found.file_info?.minimum_os],
      ['appxbundle', 'Quay & Söhne', '2022.1.0.0', '10.0.17763.0'],
    )
    assert.deepEqual(found.file_info?.architectures, ['x64', 'arm64v8'])
    assert.equal(found.icon?.base64, icon.toString('base64'))
  })

  test('shows the names of the identity instead of names in resource files', async () => {
    const manifest = `<Package><Identity Name="Example.Quay" Publisher="CN=Quay" Version="1.0.0.0"/><Properties>
      <DisplayName>ms-resource:Name</DisplayName><PublisherDisplayName>ms-resource:P</PublisherDisplayName></Properties></Package>`
    const info = await packageInfo(appxFile(publishedIcon(), manifest))
    assert.deepEqual([info.name, info.publisher], ['Example.Quay', 'CN=Quay'])
  })

  for (const build of [appxFile, appxBundleFile])
    test(`agrees with osslsigncode on a signature made by ${build.name}`, async (t) => {
      using folder = temporaryFolder()
      const signed = signAppx(folder.path, build(publishedIcon()))
      if (signed === undefined) return t.skip('This version of osslsigncode does not sign app packages.')
      const verify = (bytes: Buffer) => {
        writeFileSync(folder.path('changed.msix'), bytes)
        const trusted = ['-CAfile', folder.path('certificate.pem')]
        return succeeds('osslsigncode', ['verify', ...trusted, '-in', folder.path('changed.msix')])
      }
      const directory = signed.lastIndexOf('PK\u0001\u0002')
      for (const [name, changed] of [
        ['unchanged', signed],
        ['changed file', flipped(signed, 1000)],
        ['changed directory', flipped(signed, directory + 12)],
        ['changed signature', flipped(signed, signed.indexOf('AppxSignature.p7x') + 300)],
      ] as const) {
        const info = await packageInfo(changed)
        const expected = verify(changed) ? ['valid', 'Quay Signer'] : ['invalid', null]
        assert.deepEqual([info?.signature_status, info?.signer], expected, name)
      }
      // Other programs read entries that a package does not list.
      const extra = zipFile([{ name: 'AppxManifest.xml', data: 'changed' }])
      const longer = Buffer.concat([extra, signed])
      assert.equal(
        (await packageInfo(longer).catch(() => undefined))?.signature_status ?? 'invalid',
        'invalid',
      )
    })
})

describe('NuGet packages', { skip: missing('openssl', 'unzip') }, () => {
  test('reads the manifest and the icon', async () => {
    const icon = publishedIcon()
    const found = await inspectBytes(nupkgFile(icon), 'nupkg')
    const { format, name, version, publisher, signature_status: status } = found.file_info ?? {}
    assert.deepEqual(
      [format, name, version, publisher, status],
      ['nupkg', 'Example.Quay', '1.2.3-rc.1', 'Zoë Example', 'unsigned'],
    )
    assert.deepEqual(found.file_info?.dependencies, ['Newtonsoft.Json 13.0.1', 'Serilog [3.0,4.0)'])
    assert.equal(found.icon?.base64, icon.toString('base64'))
  })

  test('verifies the digest of the package without the signature', async () => {
    using folder = temporaryFolder()
    const signed = signedNupkg(folder.path, publishedIcon())
    const statusOf = async (bytes: Buffer) => {
      const { signature_status: status, signer } = await packageInfo(bytes)
      return [status, signer]
    }
    assert.deepEqual(await statusOf(signed), ['valid', 'Quay Author'])
    const invalid = ['invalid', null]
    assert.deepEqual(await statusOf(flipped(signed, signed.indexOf('IHDR') + 100)), invalid)
    assert.deepEqual(await statusOf(flipped(signed, signed.lastIndexOf('Quay Author'))), invalid)
    assert.deepEqual(await statusOf(flipped(signed, signed.indexOf('PK\u0001\u0002') + 12)), invalid)
    const comment = Buffer.concat([signed.subarray(0, -2), Buffer.from('\u0001\0x')])
    assert.deepEqual(await statusOf(comment), invalid)
  })
})

const wheels = '/usr/share/python-wheels'

describe('Python packages', { skip: missing('python3') }, () => {
  /** Reads the metadata with the email parser of Python, which is what its packaging tools use. */
  const parse = (path: string, member: string) =>
    JSON.parse(
      runText('python3', [
        '-c',
        `import sys, json, zipfile, tarfile, email
path, member = sys.argv[1:]
if zipfile.is_zipfile(path):
    archive = zipfile.ZipFile(path)
    name = next(n for n in archive.namelist() if n.endswith(member))
    text = archive.read(name).decode()
else:
    archive = tarfile.open(path)
    name = next(n for n in archive.getnames() if n.endswith(member))
    text = archive.extractfile(name).read().decode()
m = email.message_from_string(text)
print(json.dumps({k: m.get_all(k) for k in ['Name', 'Version', 'Author', 'Author-email', 'Requires-Python', 'Requires-Dist', 'Tag']}))`,
        path,
        member,
      ]),
    ) as Record<string, string[] | null>

  test('agrees with Python on published wheels', { skip: missing(wheels) }, async () => {
    const names = readdirSync(wheels).filter((name) => name.endsWith('.whl'))
    assert.ok(names.length > 0)
    for (const name of names) {
      const path = `${wheels}/${name}`
      const expected = parse(path, '.dist-info/METADATA')
      const info = await packageInfo(readFileSync(path))
      assert.deepEqual(
        [info.format, info.name, info.version, info.minimum_os, info.dependencies],
        [
          'whl',
          expected['Name']?.[0],
          expected['Version']?.[0],
          `Python ${expected['Requires-Python']?.[0]}`,
          expected['Requires-Dist'] ?? [],
        ],
        name,
      )
      assert.deepEqual(info.architectures, [])
    }
  })

  test('reads the architectures in the tags of a wheel', async () => {
    const wheel = (...tags: string[]) =>
      zipFile([
        {
          name: 'quay-1.dist-info/METADATA',
          data: 'Name: quay\nVersion: 1\nAuthor-email: "Zoë" <zoe@example.com>\n',
        },
        { name: 'quay-1.dist-info/WHEEL', data: tags.map((tag) => `Tag: ${tag}\n`).join('') },
      ])
    for (const [tags, architectures] of [
      [['cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64'], ['x64']],
      [
        ['cp312-cp312-manylinux_2_17_aarch64', 'cp312-cp312-musllinux_1_2_i686'],
        ['arm64v8', 'x86'],
      ],
      [['cp312-cp312-macosx_10_13_universal2'], ['u2b']],
      [['cp312-cp312-macosx_11_0_arm64'], ['apple']],
      [
        ['cp312-cp312-win_amd64', 'cp312-cp312-win32'],
        ['x64', 'x86'],
      ],
      [['py3-none-any'], []],
    ] as const) {
      const info = await packageInfo(wheel(...tags))
      assert.deepEqual([info.architectures, info.publisher], [architectures, 'Zoë'])
    }
  })

  test('agrees with Python on a source distribution', async () => {
    using folder = temporaryFolder()
    writeFiles(folder.path, {
      'quay-1.2.3/quay.py': 'print(1)\n',
      'quay-1.2.3/PKG-INFO':
        'Metadata-Version: 2.1\nName: quay\nVersion: 1.2.3\nAuthor: Zoë Example\nRequires-Python: >=3.9,\n        <4\nRequires-Dist: attrs>=1\n\nName: not this\n',
      [`quay-1.2.3/${'long-name/'.repeat(20)}file`]: 'a file whose name requires another header',
    })
    for (const format of ['gnu', 'pax', 'ustar']) {
      const sdist = folder.path(`${format}.tar.gz`)
      const files =
        format === 'ustar' ? ['quay-1.2.3/quay.py', 'quay-1.2.3/PKG-INFO'] : ['--sort=name', 'quay-1.2.3']
      run('tar', ['-C', folder.path('.'), `--format=${format}`, '-czf', sdist, ...files])
      const expected = parse(sdist, '/PKG-INFO')
      const info = await packageInfo(readFileSync(sdist))
      assert.deepEqual(
        [info.format, info.name, info.version, info.publisher, info.dependencies],
        ['sdist', expected['Name']?.[0], expected['Version']?.[0], 'Zoë Example', expected['Requires-Dist']],
      )
      assert.equal(info.minimum_os, 'Python >=3.9, <4')
    }
  })
})

describe('archives of other packages and programs', () => {
  test('reads a package that npm has packed', { skip: missing('npm') }, async () => {
    using folder = temporaryFolder()
    const source = packageFile('yauzl')
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder.path('.'), source])
    const [archive = ''] = readdirSync(folder.path('.'))
    const manifest = JSON.parse(readFileSync(`${source}/package.json`, 'utf8')) as {
      name: string
      version: string
      dependencies: Record<string, string>
    }
    const info = await packageInfo(readFileSync(folder.path(archive)))
    assert.deepEqual([info.format, info.name, info.version], ['npm', manifest.name, manifest.version])
    assert.deepEqual(
      info.dependencies,
      Object.entries(manifest.dependencies).map(([name, range]) => `${name} ${range}`),
    )
  })

  test('distinguishes a web application from other Java archives', async () => {
    const manifest = {
      name: 'META-INF/MANIFEST.MF',
      data: 'Implementation-Title: Quay\r\nImplementation-Version: 1\r\n\r\n',
    }
    const war = await packageInfo(zipFile([manifest, { name: 'WEB-INF/web.xml', data: '<web-app/>' }]))
    assert.deepEqual([war.format, war.name, war.version], ['war', 'Quay', '1'])
    assert.equal((await packageInfo(zipFile([manifest]))).format, 'jar')
  })

  const program = readFileSync(publishedExecutables.signtool)
  const helper = readFileSync(publishedExecutables.snoretoast)

  test('reads the only program in an archive, compressed or not', async () => {
    const expected = await packageInfo(program)
    for (const isDeflated of [false, true]) {
      const zip = zipFile([
        { name: 'readme.txt', data: 'MZ' },
        { name: 'LICENSE', data: 'MZ is not a program' },
        { name: 'bin/Sign Tool.exe', data: program, isDeflated },
      ])
      assert.deepEqual(await packageInfo(zip, 'zip'), expected)
    }
  })

  test(
    'reads the same program from compressed tar archives',
    { skip: missing('tar', 'xz', 'zstd') },
    async () => {
      using folder = temporaryFolder()
      writeFiles(folder.path, { 'tool/readme.md': 'read me', 'tool/tool.exe': program })
      const expected = await packageInfo(program)
      for (const option of ['--gzip', '--xz', '--zstd']) {
        run('tar', ['-C', folder.path('.'), option, '-cf', folder.path('tool.tar'), 'tool'])
        assert.deepEqual(await packageInfo(readFileSync(folder.path('tool.tar'))), expected, option)
      }
    },
  )

  test('chooses the program that its folder or the files beside it are named after, or the largest', async () => {
    const nameOf = async (...names: string[]) => {
      const entries = names.map((name) => ({
        name,
        data: name.endsWith('.exe') ? (name.includes('Helper') ? helper : program) : 'data',
      }))
      return (await packageInfo(zipFile(entries))).name
    }
    const { name: programName } = await packageInfo(program)
    const { name: helperName } = await packageInfo(helper)
    assert.notEqual(programName, helperName ?? 'Helper')
    assert.ok(helper.length > program.length)
    assert.equal(await nameOf('Game.exe', 'Helper64.exe', 'Game_Data/level0'), programName)
    assert.equal(await nameOf('My Game 1.2/MyGame.exe', 'My Game 1.2/Helper.exe'), programName)
    assert.equal(await nameOf('Game.exe', 'tools/Helper.exe', 'tools/Helper_Data/x'), programName)
    assert.equal(await nameOf('A.exe', 'Helper.exe'), helperName ?? 'Helper')
  })

  test('reads nothing from archives without a program', async () => {
    const zip = zipFile([
      { name: 'a.txt', data: 'text' },
      { name: 'notes', data: 'x'.repeat(1000) },
    ])
    assert.equal((await inspectBytes(zip, 'zip')).file_info, null)
    assert.equal((await inspectBytes(run('gzip', ['-c'], 'not a tar archive'), 'gz')).file_info, null)
  })
})
