import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import type { DebugId } from '../../src/inspection/inspection.ts'
import { appxManifest } from './archive-packages.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { appImageRuntime } from './linux-packages.ts'
import { buildElf, buildMachO, buildWindowsProgram, nativeTools } from './native-code.ts'
import { missing, run, runText, temporaryFolder } from './programs.ts'
import { zipFile } from './zip-file.ts'

type Folder = (name: string) => string

const elfIdOf = (path: string) => /Build ID: ([0-9a-f]+)/.exec(runText('readelf', ['-n', path]))?.[1]

/** Returns `kind id role path` of each ID. */
const lines = (ids: readonly DebugId[]): string[] =>
  ids.map(({ kind, id, role, path }) => [kind, id, role, path].join(' ')).toSorted()

const idsIn = async (bytes: Buffer): Promise<string[]> => lines((await inspectBytes(bytes, 'none')).debug_ids)

/** Builds a program, a library and its symbols, and returns their paths and what is expected of them in a folder. */
function buildNative(path: Folder) {
  const library = buildElf(path, 'x86_64')
  const [program, symbols] = [path('tool'), path('libx86_64.so.debug')]
  run('objcopy', ['--only-keep-debug', library, symbols])
  run('objcopy', ['--strip-all', library])
  copyFileSync(library, program)
  const id = elfIdOf(library)
  const files = {
    'usr/bin/tool': program,
    'usr/lib/libx86_64.so.1.2': library,
    'usr/lib/debug/tool.debug': symbols,
  }
  const expected = (prefix = '') =>
    Object.keys(files)
      .map(
        (name) => `elf_build_id ${id} ${name.endsWith('.debug') ? 'symbols' : 'executable'} ${prefix}${name}`,
      )
      .toSorted()
  return { id, files, expected }
}

function copyFiles(path: Folder, files: Record<string, string>, root: string): void {
  for (const [name, from] of Object.entries(files)) {
    mkdirSync(dirname(path(`${root}/${name}`)), { recursive: true })
    copyFileSync(from, path(`${root}/${name}`))
  }
  writeFileSync(path(`${root}/usr/README`), 'not an executable')
}

const entriesOf = (files: Record<string, string>) =>
  Object.entries(files).map(([name, from]) => ({ name, data: readFileSync(from), isDeflated: true }))

describe('debug IDs of files in archives and packages', { skip: missing(...nativeTools) }, () => {
  test('lists every executable and symbol file of ZIP and tar archives, and first the main program', async () => {
    using folder = temporaryFolder()
    const { files, expected } = buildNative(folder.path)
    const { program, database } = buildWindowsProgram(folder.path)
    const mac = readFileSync(buildMachO(folder.path, 'arm64'))
    const windows = lines((await inspectBytes(program, 'exe')).debug_ids).map((line) => `${line}answer.exe`)
    const [, pdbId = ''] = /pdb_id (\w+)/.exec(windows.join('\n')) ?? []
    const [uuid] = (await inspectBytes(mac, 'none')).debug_ids
    const all = [
      ...expected(),
      ...windows,
      `pdb_id ${pdbId} symbols symbols/answer.pdb`,
      `mach_uuid ${uuid?.id} ${uuid?.role} lib/answer.dylib`,
    ].toSorted()
    copyFiles(folder.path, files, 'root')
    mkdirSync(folder.path('root/symbols'))
    mkdirSync(folder.path('root/lib'))
    writeFileSync(folder.path('root/answer.exe'), program)
    writeFileSync(folder.path('root/symbols/answer.pdb'), database)
    writeFileSync(folder.path('root/lib/answer.dylib'), mac)
    for (const isDeflated of [true, false]) {
      const zip = zipFile([
        ...entriesOf(files).map((entry) => ({ ...entry, isDeflated })),
        { name: 'symbols/answer.pdb', data: database, isDeflated },
        { name: 'lib/answer.dylib', data: mac, isDeflated },
        { name: 'answer.exe', data: program, isDeflated },
        { name: 'broken.dll', data: 'MZ', isDeflated },
      ])
      const found = await inspectBytes(zip, 'none')
      assert.deepEqual(lines(found.debug_ids), all)
      assert.equal(found.debug_ids[0]?.path, 'answer.exe')
    }
    for (const option of ['--gzip', '--xz', '--zstd']) {
      run('tar', ['-C', folder.path('root'), option, '-cf', folder.path('a.tar'), '.'])
      const found = await inspectBytes(readFileSync(folder.path('a.tar')), 'none')
      assert.deepEqual(lines(found.debug_ids), all, option)
      assert.equal(found.debug_ids[0]?.path, 'answer.exe')
    }
  })

  test('lists those of Debian packages', { skip: missing('dpkg-deb') }, async () => {
    using folder = temporaryFolder()
    const { files, expected } = buildNative(folder.path)
    copyFiles(folder.path, files, 'root')
    mkdirSync(folder.path('root/DEBIAN'))
    const control = 'Package: quay\nVersion: 1\nArchitecture: amd64\nMaintainer: Zoë <zoe@example.com>\n'
    writeFileSync(folder.path('root/DEBIAN/control'), `${control}Description: Sample\n`)
    for (const compression of ['gzip', 'xz', 'zstd', 'none']) {
      const options = ['--root-owner-group', '--uniform-compression', `-Z${compression}`]
      run('dpkg-deb', [...options, '--build', folder.path('root'), folder.path('a.deb')])
      assert.deepEqual(await idsIn(readFileSync(folder.path('a.deb'))), expected(), compression)
    }
  })

  test('lists those of RPM packages', { skip: missing('rpmbuild') }, async () => {
    using folder = temporaryFolder()
    const { files, expected } = buildNative(folder.path)
    copyFiles(folder.path, files, 'root')
    // The checksum of XZ payloads is SHA-256, which the decoder does not support.
    for (const payload of ['w9.gzdio', 'w3.zstdio']) {
      const spec = `Name: quay\nVersion: 1\nRelease: 1\nSummary: Sample\nLicense: MIT\n%define _binary_payload ${payload}
%define debug_package %{nil}\n%define __os_install_post %{nil}\nAutoReqProv: no\n%description\nSample\n%install
mkdir -p %{buildroot}\ncp -r ${folder.path('root')}/. %{buildroot}\n%files\n/usr\n`
      writeFileSync(folder.path('a.spec'), spec)
      rmSync(folder.path('RPMS'), { recursive: true, force: true })
      run('rpmbuild', ['--quiet', '-bb', '--define', `_topdir ${folder.path('.')}`, folder.path('a.spec')])
      const [path = ''] = runText('find', [folder.path('RPMS'), '-name', '*.rpm']).split('\n')
      assert.deepEqual(await idsIn(readFileSync(path)), expected(), payload)
    }
  })

  test('lists those of snaps and AppImages', { skip: missing('mksquashfs') }, async () => {
    using folder = temporaryFolder()
    const { id, files, expected } = buildNative(folder.path)
    copyFiles(folder.path, files, 'root')
    mkdirSync(folder.path('root/meta'))
    writeFileSync(folder.path('root/meta/snap.yaml'), 'name: quay\nversion: 1\n')
    writeFileSync(folder.path('root/quay.desktop'), '[Desktop Entry]\nName=Quay\n')
    // A file of several blocks, which ends in a fragment.
    const large = Buffer.concat([readFileSync(folder.path('tool')), Buffer.alloc(700_001)])
    writeFileSync(folder.path('root/usr/bin/large'), large)
    const all = [...expected(), `elf_build_id ${id} executable usr/bin/large`].toSorted()
    for (const compression of ['gzip', 'xz', 'zstd', 'lz4', 'lzo'])
      for (const options of [[], ['-no-fragments']]) {
        const output = [...options, '-comp', compression, '-noappend', '-quiet', '-no-progress']
        run('mksquashfs', [folder.path('root'), folder.path('a.snap'), ...output])
        const snap = readFileSync(folder.path('a.snap'))
        assert.deepEqual(await idsIn(snap), all, compression)
        assert.deepEqual(await idsIn(Buffer.concat([appImageRuntime(), snap])), all, compression)
      }
  })

  test('lists those of packages in ZIP format', async () => {
    using folder = temporaryFolder()
    const { files, expected } = buildNative(folder.path)
    const native = entriesOf(files)
    const appx = zipFile([{ name: 'AppxManifest.xml', data: appxManifest }, ...native])
    const packages: Record<string, { bytes: Buffer; prefix?: string }> = {
      appx: { bytes: appx },
      appxbundle: {
        bytes: zipFile([
          {
            name: 'AppxMetadata/AppxBundleManifest.xml',
            data: '<Bundle><Identity Name="a"/><Packages><Package FileName="x64.msix"/></Packages></Bundle>',
          },
          { name: 'x64.msix', data: appx },
        ]),
        prefix: 'x64.msix/',
      },
      nupkg: {
        bytes: zipFile([
          { name: '[Content_Types].xml', data: '<Types/>' },
          { name: 'a.nuspec', data: '<package><metadata><id>a</id></metadata></package>' },
          ...native,
        ]),
      },
      whl: {
        bytes: zipFile([
          { name: 'quay-1.dist-info/METADATA', data: 'Metadata-Version: 2.1\nName: quay\nVersion: 1\n' },
          { name: 'quay-1.dist-info/WHEEL', data: 'Wheel-Version: 1.0\n' },
          ...native,
        ]),
      },
      jar: { bytes: zipFile([{ name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0\n' }, ...native]) },
    }
    for (const [format, { bytes, prefix }] of Object.entries(packages)) {
      const found = await inspectBytes(bytes, 'none')
      assert.equal(found.file_info?.format, format)
      assert.deepEqual(lines(found.debug_ids), expected(prefix), format)
    }
  })

  test('reads a limited number of files', async () => {
    using folder = temporaryFolder()
    const data = readFileSync(buildElf(folder.path, 'x86_64'))
    const names = Array.from({ length: 2000 }, (_, index) => `lib${index}.so`)
    const found = await inspectBytes(zipFile(names.map((name) => ({ name, data, isDeflated: true }))), 'none')
    assert.equal(found.debug_ids.length, 500)
    mkdirSync(folder.path('many'))
    for (const name of names) writeFileSync(folder.path(`many/${name}`), data)
    run('tar', ['-C', folder.path('many'), '-czf', folder.path('many.tar'), '.'])
    assert.equal((await inspectBytes(readFileSync(folder.path('many.tar')), 'none')).debug_ids.length, 500)
  })
})
