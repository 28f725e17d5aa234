import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { artifactFiletype } from '../../src/inspection/artifacts/artifact-format.ts'
import { readDebugIds } from '../../src/inspection/debug-ids/read-debug-ids.ts'
import { readElfFile } from '../../src/inspection/executables/elf-file.ts'
import { listSlices } from '../../src/inspection/executables/mach-o.ts'
import { InspectionError } from '../../src/inspection/inspection.ts'
import { buildApk, buildBundle, publishedIcon } from './android-packages.ts'
import { infoPlist, ipaFile } from './apple-packages.ts'
import { bufferSource, inspectBytes } from './inspect-bytes.ts'
import { buildElf, buildMachO, buildWindowsProgram, nativeTools, universalFile } from './native-code.ts'
import { androidFramework, missing, run, runText, temporaryFolder } from './programs.ts'
import { publishedExecutables } from './windows-packages.ts'
import { zipFile } from './zip-file.ts'

const nowhere = { name: null, path: null }
const idsOf = (bytes: Buffer) => readDebugIds(bufferSource(bytes), nowhere)
const elfIdOf = (path: string) => /Build ID: ([0-9a-f]+)/.exec(runText('readelf', ['-n', path]))?.[1]

describe('debug IDs', { skip: missing(...nativeTools) }, () => {
  test('agrees with readelf on the build ID of libraries for several architectures', async () => {
    using folder = temporaryFolder()
    for (const [target, architecture] of [
      ['x86_64', 'x64'],
      ['i686', 'x86'],
      ['aarch64', 'arm64v8'],
      ['arm', 'armv7'],
      ['mips', 'mips'],
      ['mips64el', 'mips64'],
      ['powerpc64le', 'ppc64'],
      ['riscv32', 'risc-v'],
      ['riscv64', 'risc-v64'],
    ] as const) {
      const path = buildElf(folder.path, target)
      const [found] = await idsOf(readFileSync(path))
      assert.deepEqual(
        [found?.kind, found?.id, found?.architecture],
        ['elf_build_id', elfIdOf(path), architecture],
        target,
      )
    }
  })

  test('tells executables from symbols that were split off', async () => {
    using folder = temporaryFolder()
    const path = buildElf(folder.path, 'x86_64')
    const roleOf = async (file: string) => {
      const [found] = await idsOf(readFileSync(file))
      assert.equal(found?.id, elfIdOf(path))
      return found?.role
    }
    assert.equal(await roleOf(path), 'symbols')
    for (const program of ['objcopy', 'llvm-objcopy']) {
      run(program, ['--only-keep-debug', path, folder.path('symbols')])
      assert.equal(await roleOf(folder.path('symbols')), 'symbols', program)
      run(program, ['--strip-all', path, folder.path('stripped')])
      assert.equal(await roleOf(folder.path('stripped')), 'executable', program)
    }
  })

  test('returns no ID for a file without one and for damaged files', async () => {
    using folder = temporaryFolder()
    const path = buildElf(folder.path, 'x86_64', 'none')
    assert.equal(elfIdOf(path), undefined)
    assert.deepEqual(await idsOf(readFileSync(path)), [])
    const bytes = readFileSync(buildElf(folder.path, 'x86_64'))
    for (let length = 0; length < bytes.length; length += 61) await idsOf(bytes.subarray(0, length))
    for (const start of ['\u007fELF', 'MZ', 'BSJB', '\u00ca\u00fe\u00ba\u00be', '\u00cf\u00fa\u00ed\u00fe'])
      assert.deepEqual(await idsOf(Buffer.from(start.padEnd(300, '\u00ff'), 'latin1')), [], start)
  })

  test('agrees with llvm-dwarfdump on the UUID of each architecture', async () => {
    using folder = temporaryFolder()
    const slices = (['x86_64', 'arm64'] as const).map((architecture) => ({
      type: architecture === 'arm64' ? 0x0100000c : 0x01000007,
      bytes: readFileSync(buildMachO(folder.path, architecture)),
    }))
    const universal = universalFile(slices)
    writeFileSync(folder.path('universal'), universal)
    const printed = runText('llvm-dwarfdump', ['--uuid', folder.path('universal')])
    const expected = [...printed.matchAll(/UUID: ([0-9A-F-]+) \((\w+)\)/g)].map(([, uuid = '', name]) => [
      uuid.replaceAll('-', '').toLowerCase(),
      name === 'arm64' ? 'arm64v8' : 'x64',
    ])
    assert.equal(expected.length, 2)
    const found = await idsOf(universal)
    assert.deepEqual(
      found.map(({ id, architecture }) => [id, architecture]),
      expected,
    )
    assert.ok(found.every(({ kind, role }) => kind === 'mach_uuid' && role === 'executable'))
    const inspection = await inspectBytes(ipaFile({ info: infoPlist, executable: universal }), 'ipa')
    assert.deepEqual(
      inspection.debug_ids.map(({ id, path }) => [id, path]),
      expected.map(([id]) => [id, 'Payload/Quay.app/Quay']),
    )
    assert.deepEqual(inspection.file_info?.architectures, ['x64', 'arm64v8'])
  })

  test('agrees with LLVM on the IDs of a Windows program and its program database', async () => {
    using folder = temporaryFolder()
    const { program, database } = buildWindowsProgram(folder.path)
    const readobj = (option: string) => runText('llvm-readobj', [option, folder.path('answer.exe')])
    const headers = readobj('--file-headers')
    const [, time = ''] = /TimeDateStamp: .*\(0x([0-9A-F]+)\)/.exec(headers) ?? []
    const [, imageBytes] = /SizeOfImage: (\d+)/.exec(headers) ?? []
    const codeId = time.toLowerCase().padStart(8, '0') + Number(imageBytes).toString(16)
    const summary = runText('llvm-pdbutil', ['dump', '--summary', folder.path('answer.pdb')])
    const [, guid = ''] = /GUID: \{([0-9A-F-]+)\}/.exec(summary) ?? []
    const [, age] = /Age: (\d+)/.exec(summary) ?? []
    const pdbId = guid.replaceAll('-', '').toLowerCase() + Number(age).toString(16)
    const { debug_ids: found } = await inspectBytes(program, 'exe')
    assert.deepEqual(
      found.map(({ kind, id, role, name }) => ({ kind, id, role, name })),
      [
        { kind: 'pe_code_id', id: codeId, role: 'executable', name: null },
        { kind: 'pdb_id', id: pdbId, role: 'executable', name: 'answer.pdb' },
      ],
    )
    const [symbols] = await idsOf(database)
    assert.deepEqual([symbols?.kind, symbols?.id, symbols?.role], ['pdb_id', pdbId, 'symbols'])
    const [published] = await idsOf(readFileSync(publishedExecutables.signtool))
    assert.match(published?.id ?? '', /^[0-9a-f]{12,16}$/)
  })

  const androidTools = missing('aapt2', 'zip', 'unzip', androidFramework)
  test(
    'reads native libraries, symbols and mapping IDs of Android packages',
    { skip: androidTools },
    async () => {
      using folder = temporaryFolder()
      const apk = buildApk(folder.path, publishedIcon())
      const bundle = buildBundle(folder.path, apk)
      const library = buildElf(folder.path, 'aarch64')
      const elfId = elfIdOf(library)
      const marker = '~~R8{"backend":"dex","min-api":24,"pg-map-id":"7fa4c6e","version":"8.2.33"}\0'
      const dex = Buffer.concat([Buffer.alloc(900_000, 'a~'), Buffer.from(marker), Buffer.alloc(900_000)])
      const metadata = 'BUNDLE-METADATA/com.android.tools.build'
      const files: Record<string, Buffer | string> = {
        'lib/arm64-v8a/libanswer.so': readFileSync(library),
        'lib/armeabi/libbroken.so': 'not a library',
        'classes.dex': dex,
        'base/lib/arm64-v8a/libanswer.so': readFileSync(library),
        'base/dex/classes.dex': dex,
        [`${metadata}.obfuscation/proguard.map`]: '# compiler: R8\n# pg_map_id: 7fa4c6e\ncom.A -> a.a:\n',
        [`${metadata}.debugsymbols/arm64-v8a/libanswer.so.dbg`]: readFileSync(library),
      }
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(folder.path(name.slice(0, name.lastIndexOf('/') + 1)), { recursive: true })
        writeFileSync(folder.path(name), content)
      }
      const add = (archive: string, names: string[]) =>
        run('sh', ['-c', 'cd "$0" && zip -q "$@"', folder.path('.'), archive, ...names])
      add(apk, ['classes.dex', 'lib/arm64-v8a/libanswer.so', 'lib/armeabi/libbroken.so'])
      const idsIn = (found: Awaited<ReturnType<typeof inspectBytes>>) =>
        found.debug_ids.map(({ kind, id, role, name }) => [kind, id, role, name].join(' '))
      const inspected = await inspectBytes(readFileSync(apk), 'apk')
      assert.deepEqual(idsIn(inspected), [
        'r8_map_id 7fa4c6e executable classes.dex',
        `elf_build_id ${elfId} executable libanswer.so`,
      ])
      assert.deepEqual(inspected.file_info?.architectures, ['arm64v8', 'armv5'])
      writeFileSync(folder.path('sample.aab'), bundle)
      add(
        folder.path('sample.aab'),
        Object.keys(files).filter((name) => /^(base|BUNDLE)/.test(name)),
      )
      assert.deepEqual(idsIn(await inspectBytes(readFileSync(folder.path('sample.aab')), 'aab')), [
        'r8_map_id 7fa4c6e executable classes.dex',
        'r8_map_id 7fa4c6e symbols proguard.map',
        `elf_build_id ${elfId} executable libanswer.so`,
        `elf_build_id ${elfId} symbols libanswer.so.dbg`,
      ])
    },
  )
})

describe('metadata artifacts', () => {
  const inspect = async (bytes: Buffer) => {
    const found = await inspectBytes(bytes, artifactFiletype)
    return { format: found.artifact_format, ids: found.debug_ids }
  }

  test(
    'reads every dSYM and native symbol file in an archive',
    { skip: missing(...nativeTools) },
    async () => {
      using folder = temporaryFolder()
      const [mac, elf] = [buildMachO(folder.path, 'arm64'), buildElf(folder.path, 'aarch64')]
      const [, uuid = ''] = /UUID: ([0-9A-F-]+)/.exec(runText('llvm-dwarfdump', ['--uuid', mac])) ?? []
      const dsym = 'dSYMs/Quay.app.dSYM/Contents/Resources/DWARF/Quay'
      const dsyms = await inspect(
        zipFile([
          { name: 'dSYMs/Quay.app.dSYM/Contents/Info.plist', data: infoPlist },
          { name: dsym, data: readFileSync(mac), isDeflated: true },
          { name: '__MACOSX/dSYMs/Quay.app.dSYM/Contents/Resources/DWARF/._Quay', data: 'AppleDouble' },
        ]),
      )
      assert.equal(dsyms.format, 'dsym')
      assert.deepEqual(dsyms.ids, [
        {
          kind: 'mach_uuid',
          id: uuid.replaceAll('-', '').toLowerCase(),
          role: 'symbols',
          name: 'Quay',
          path: dsym,
          architecture: 'arm64v8',
        },
      ])
      const native = await inspect(
        zipFile([{ name: 'arm64-v8a/libanswer.so.dbg', data: readFileSync(elf), isDeflated: true }]),
      )
      assert.equal(native.format, 'native_symbols')
      assert.deepEqual(
        native.ids.map(({ kind, id, role }) => [kind, id, role]),
        [['elf_build_id', elfIdOf(elf), 'symbols']],
      )
      const plain = await inspect(readFileSync(elf))
      assert.deepEqual([plain.format, plain.ids[0]?.id], ['elf_symbols', elfIdOf(elf)])
      assert.equal((await inspect(readFileSync(mac))).format, null)
    },
  )

  test('reads IDs of mappings and Breakpad symbols, also in an archive', async () => {
    const breakpad = 'MODULE windows x86_64 5A832E5287241C1838ED98914E9B7FF21 quay.pdb\nFILE 0 a.c\n'
    const expected = ['breakpad_id', '5a832e5287241c1838ed98914e9b7ff21', 'symbols', 'quay.pdb', 'x64']
    for (const bytes of [Buffer.from(breakpad), zipFile([{ name: 'symbols/quay.sym', data: breakpad }])]) {
      const [found] = (await inspect(bytes)).ids
      assert.deepEqual([found?.kind, found?.id, found?.role, found?.name, found?.architecture], expected)
    }
    const hash = 'ab'.repeat(32)
    const mapping = `# compiler: R8\n# pg_map_id: 7fa4c6e\n# pg_map_hash: SHA-256 ${hash}\na.B -> a.a:\n# pg_map_id: 1234567\n`
    const { ids } = await inspect(Buffer.from(mapping))
    assert.deepEqual(
      ids.map(({ kind, id }) => [kind, id]),
      [
        ['r8_map_id', '7fa4c6e'],
        ['r8_map_id', hash],
      ],
    )
    assert.deepEqual(await inspect(Buffer.from('a.B -> a.a:\n')), { format: null, ids: [] })
  })

  test('limits the number of files and survives damaged ones', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => ({
      name: `arm64-v8a/lib${index}.so`,
      data: `\u007fELF${index}`,
    }))
    assert.deepEqual(await inspect(zipFile(files)), { format: 'native_symbols', ids: [] })
    await assert.rejects(inspect(Buffer.from('PK\u0003\u0004 and nothing else')), InspectionError)
  })
})

test('reads headers of both byte orders and sizes', async () => {
  const header = (is64Bit: boolean, isBigEndian: boolean, machine: number) => {
    const bytes = Buffer.alloc(64)
    bytes.write('\u007fELF', 'latin1')
    bytes.set([is64Bit ? 2 : 1, isBigEndian ? 2 : 1], 4)
    bytes[isBigEndian ? 19 : 18] = machine
    return bytes
  }
  for (const [is64Bit, isBigEndian, machine, architecture] of [
    [false, true, 8, 'mips'],
    [true, true, 8, 'mips64'],
    [true, true, 21, 'ppc64'],
    [true, false, 21, 'ppc64'],
    [true, true, 22, 'ibmz'],
    [true, false, 243, 'risc-v64'],
    [true, false, 200, undefined],
  ] as const) {
    const elf = await readElfFile(bufferSource(header(is64Bit, isBigEndian, machine)))
    assert.equal(elf.architecture, architecture)
  }
  // A class file of Java, which has the same first bytes as a universal file.
  assert.deepEqual(await listSlices(bufferSource(Buffer.from('cafebabe0000003d00', 'hex'))), [])
})
