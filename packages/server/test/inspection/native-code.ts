import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createCertificate, run } from './programs.ts'

const source = 'int answer(int x) { return x * 42; }\nint main(void) { return answer(1); }\n'

/** Programs that build native code for other systems and print its IDs. */
export const nativeTools =
  'clang ld.lld lld-link llvm-dwarfdump llvm-objcopy llvm-pdbutil llvm-readobj objcopy readelf'.split(' ')

function compile(path: (name: string) => string, target: string, options: string[] = []): string {
  writeFileSync(path('answer.c'), source)
  const object = path(`${target}.o`)
  run('clang', ['-g', `--target=${target}`, ...options, '-c', path('answer.c'), '-o', object])
  return object
}

/** Builds a library in ELF format for Linux and returns its path. */
export function buildElf(path: (name: string) => string, architecture: string, buildId = 'sha1'): string {
  const library = path(`lib${architecture}.so`)
  const object = compile(path, `${architecture}-linux-gnu`, ['-fPIC'])
  run('ld.lld', ['-shared', `--build-id=${buildId}`, object, '-o', library])
  return library
}

/** Builds a library for macOS and returns its path. */
export function buildMachO(path: (name: string) => string, architecture: 'arm64' | 'x86_64'): string {
  const library = path(`${architecture}.dylib`)
  const versions = ['-arch', architecture, '-platform_version', 'macos', '11.0', '11.0']
  const object = compile(path, `${architecture}-apple-macos11`)
  // LLD behaves like the linker of macOS if it is started with this option.
  run('lld-link', ['-flavor', 'darwin', ...versions, '-dylib', object, '-o', library])
  return library
}

/** Joins libraries for several processors into a universal file. */
export function universalFile(slices: { type: number; bytes: Buffer }[]): Buffer {
  const header = Buffer.alloc(16_384 * (slices.length + 1))
  header.writeUInt32BE(0xcafebabe, 0)
  header.writeUInt32BE(slices.length, 4)
  let offset = 16_384
  const parts = [header.subarray(0, offset)]
  for (const [index, { type, bytes }] of slices.entries()) {
    for (const [field, value] of [type, 0, offset, bytes.length, 14].entries())
      header.writeUInt32BE(value, 8 + index * 20 + field * 4)
    const padded = Buffer.alloc(Math.ceil(bytes.length / 16_384) * 16_384)
    bytes.copy(padded)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}

/** Builds a Windows program with its program database. */
export function buildWindowsProgram(path: (name: string) => string): { program: Buffer; database: Buffer } {
  const object = compile(path, 'x86_64-pc-windows-msvc', ['-gcodeview'])
  const options = ['/nologo', '/debug', '/entry:main', '/nodefaultlib', '/subsystem:console']
  run('lld-link', [...options, object, `/out:${path('answer.exe')}`, `/pdb:${path('answer.pdb')}`])
  return { program: readFileSync(path('answer.exe')), database: readFileSync(path('answer.pdb')) }
}

/**
 * Signs a library that LLD has built. LLD signs libraries for Apple silicon without a certificate; the new signature has the
 * same code directory with new digests, and a CMS message by openssl.
 */
export function signMachO(path: (name: string) => string, library: Buffer): Buffer {
  const { key, certificate } = createCertificate(path, '/CN=Developer ID Application: Quay')
  const signatureBytes = 8192
  const command = findSignatureCommand(library)
  const offset = library.readUInt32LE(command + 8)
  const code = Buffer.from(library.subarray(0, offset))
  code.writeUInt32LE(signatureBytes, command + 12)
  const blob = offset + library.readUInt32BE(offset + 16)
  const directory = Buffer.from(library.subarray(blob, blob + library.readUInt32BE(blob + 4)))
  const hashOffset = directory.readUInt32BE(16)
  const pageBytes = 2 ** directory.readUInt8(39)
  for (let at = 0, index = 0; at < offset; at += pageBytes, index++) {
    const page = code.subarray(at, at + pageBytes)
    createHash('sha256')
      .update(page)
      .digest()
      .copy(directory, hashOffset + index * 32)
  }
  const keys = ['-signer', certificate, '-inkey', key, '-keyform', 'DER']
  const message = run('openssl', ['cms', '-sign', '-binary', '-outform', 'DER', ...keys], directory)
  const header = Buffer.alloc(28)
  const wrapper = Buffer.alloc(8)
  const numbers = [0xfade0cc0, 0, 2, 0, header.length, 0x10000, header.length + directory.length]
  for (const [index, value] of numbers.entries()) header.writeUInt32BE(value, index * 4)
  wrapper.writeUInt32BE(0xfade0b01, 0)
  wrapper.writeUInt32BE(8 + message.length, 4)
  const signature = Buffer.alloc(signatureBytes)
  Buffer.concat([header, directory, wrapper, message]).copy(signature)
  signature.writeUInt32BE(header.length + directory.length + 8 + message.length, 4)
  return Buffer.concat([code, signature])
}

function findSignatureCommand(library: Buffer): number {
  let at = 32
  while (library.readUInt32LE(at) !== 0x1d) at += library.readUInt32LE(at + 4)
  return at
}

/** Builds a library that requires others and declares its name and version, and returns its path. */
export function buildLinkedElf(path: (name: string) => string, architecture: string): string {
  const object = compile(path, `${architecture}-linux-gnu`, ['-fPIC'])
  const [first, second, library] = [path('libfirst.so'), path('libsecond.so.2'), path(`${architecture}.so`)]
  for (const [name, output] of [
    ['libfirst.so', first],
    ['libsecond.so.2', second],
  ] as const)
    run('ld.lld', ['-shared', '-soname', name, object, '-o', output])
  const names = ['-soname', 'libquay.so.3', '--build-id=sha1']
  run('ld.lld', ['-shared', ...names, object, first, second, '-o', library])
  return library
}
