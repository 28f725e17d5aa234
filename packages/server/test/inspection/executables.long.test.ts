import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { buildElf, buildLinkedElf, buildMachO, nativeTools, signMachO, universalFile } from './native-code.ts'
import { missing, packageFile, runText, temporaryFolder } from './programs.ts'
import { publishedExecutables } from './windows-packages.ts'

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** Returns what readelf prints about an ELF file. */
function readelf(path: string) {
  const output = runText('readelf', ['--wide', '--dynamic', '--notes', path])
  return {
    name: /\(SONAME\).*\[(.*)\]/.exec(output)?.[1] ?? null,
    minimum_os: /OS: (Linux), ABI: ([\d.]+)/.exec(output)?.slice(1).join(' ') ?? null,
    dependencies: [...output.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name),
    build_id: /Build ID: ([0-9a-f]+)/.exec(output)?.[1],
  }
}

describe('ELF files', { skip: missing(...nativeTools) }, () => {
  test('agree with readelf on installed programs and libraries', async () => {
    const installed = [
      '/bin/true',
      '/bin/ls',
      '/usr/bin/openssl',
      '/lib/x86_64-linux-gnu/libc.so.6',
      process.execPath,
    ]
    for (const path of installed.filter((found) => existsSync(found))) {
      const { build_id: id, ...expected } = readelf(path)
      const { file_info: info, debug_ids: ids } = await inspectBytes(readFileSync(path), 'none')
      const { name, minimum_os, dependencies } = info ?? {}
      assert.deepEqual({ name, minimum_os, dependencies }, expected, path)
      assert.equal(ids[0]?.id, id, path)
    }
  })

  test('agree with readelf on libraries for other architectures and byte orders', async () => {
    using folder = temporaryFolder()
    for (const [target, architecture] of [
      ['x86_64', 'x64'],
      ['i686', 'x86'],
      ['aarch64', 'arm64v8'],
      ['mips', 'mips'],
      ['powerpc64', 'ppc64'],
      ['riscv64', 'risc-v64'],
    ] as const) {
      const path = buildLinkedElf(folder.path, target)
      const expected = readelf(path)
      const info = await packageInfo(readFileSync(path), 'so')
      assert.deepEqual(
        [info.format, info.name, info.dependencies, info.architectures],
        ['elf', expected.name, expected.dependencies, [architecture]],
        target,
      )
      assert.deepEqual(info.dependencies, ['libfirst.so', 'libsecond.so.2'])
    }
  })

  test('without sections or other libraries are read too', async () => {
    using folder = temporaryFolder()
    const path = buildElf(folder.path, 'aarch64')
    runText('llvm-objcopy', ['--strip-sections', path, folder.path('stripped')])
    const { file_info: info, debug_ids: ids } = await inspectBytes(
      readFileSync(folder.path('stripped')),
      'none',
    )
    assert.deepEqual([info?.architectures, info?.dependencies], [['arm64v8'], []])
    assert.equal(ids[0]?.id, readelf(path).build_id)
  })
})

describe('Windows libraries', { skip: missing('objdump') }, () => {
  test('agree with objdump on the libraries that they import', async () => {
    for (const path of [
      ...Object.values(publishedExecutables),
      packageFile('node-notifier/vendor/notifu/notifu64.exe'),
    ]) {
      const printed = runText('objdump', ['--private-headers', path])
      const expected = [...printed.matchAll(/^\s+DLL Name: (.*)$/gm)].map(([, name]) => name)
      assert.ok(expected.length > 0)
      const { dependencies } = await packageInfo(readFileSync(path), 'dll')
      // objdump does not list the libraries that are loaded when they are first used.
      assert.deepEqual(dependencies.slice(0, expected.length), expected, path)
    }
  })
})

describe('Mach-O files', { skip: missing(...nativeTools, 'llvm-objdump', 'openssl') }, () => {
  const published = packageFile(
    'node-notifier/vendor/mac.noindex/terminal-notifier.app/Contents/MacOS/terminal-notifier',
  )

  test('agree with llvm-objdump on a published program', async () => {
    const printed = runText('llvm-objdump', ['--macho', '--private-headers', published])
    const expected = [...printed.matchAll(/cmd LC_LOAD_DYLIB\n.*\n\s+name (\S+)/g)].map(([, name]) => name)
    const [, version] = /cmd LC_VERSION_MIN_MACOSX\n.*\n\s+version (\S+)/.exec(printed) ?? []
    const info = await packageInfo(readFileSync(published))
    assert.ok(expected.length > 3)
    assert.deepEqual(
      [info.format, info.dependencies, info.minimum_os, info.architectures, info.signature_status],
      ['mach-o', expected, `macOS ${version}`, ['x64'], 'unsigned'],
    )
  })

  test('are read for all architectures, with the name and version of the library', async () => {
    using folder = temporaryFolder()
    const slices = (['x86_64', 'arm64'] as const).map((architecture) => ({
      type: architecture === 'arm64' ? 0x0100000c : 0x01000007,
      bytes: readFileSync(buildMachO(folder.path, architecture)),
    }))
    const info = await packageInfo(universalFile(slices))
    assert.deepEqual([info.architectures, info.minimum_os], [['u2b'], 'macOS 11.0'])
    assert.equal(info.signature_status, 'unsigned')
    for (const { bytes } of slices) {
      writeFileSync(folder.path('slice'), bytes)
      const printed = runText('llvm-objdump', ['--macho', '--private-headers', folder.path('slice')])
      const [, name = '', version] =
        /cmd LC_ID_DYLIB\n.*\n\s+name (\S+).*\n.*\n\s+current version (\S+)/.exec(printed) ?? []
      const found = await packageInfo(bytes, 'dylib')
      assert.deepEqual([found.name, `${found.version}.0`], [name.split('/').at(-1), version])
    }
  })

  test('have a valid signature until a byte is changed or added', async () => {
    using folder = temporaryFolder()
    const signed = signMachO(folder.path, readFileSync(buildMachO(folder.path, 'arm64')))
    const statusOf = async (bytes: Buffer) => {
      const { signature_status: status, signer } = await packageInfo(bytes)
      return [status, signer]
    }
    const valid = ['valid', 'Developer ID Application: Quay']
    const invalid = ['invalid', null]
    assert.deepEqual(await statusOf(signed), valid)
    const directory = signed.lastIndexOf(Buffer.from('fade0c02', 'hex'))
    for (const [name, at] of Object.entries({
      code: 5000,
      digest: directory + signed.readUInt32BE(directory + 16),
      version: directory + 12,
      certificate: signed.lastIndexOf('Developer ID'),
    }))
      assert.deepEqual(await statusOf(flipped(signed, at)), invalid, name)
    assert.deepEqual(await statusOf(Buffer.concat([signed, Buffer.alloc(1)])), invalid)
    const other = readFileSync(buildMachO(folder.path, 'x86_64'))
    const slice = (bytes: Buffer, type: number) => ({ type, bytes })
    const both = universalFile([slice(signed, 0x0100000c), slice(other, 0x01000007)])
    assert.deepEqual(await statusOf(both), ['unsigned', null])
  })

  test('are not confused with class files of Java', async () => {
    const classFile = Buffer.concat([Buffer.from('cafebabe00000041', 'hex'), Buffer.alloc(1000)])
    assert.equal((await inspectBytes(classFile, 'none')).file_info, null)
  })
})
