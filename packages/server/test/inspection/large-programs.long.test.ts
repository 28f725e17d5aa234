import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { emptyInspection, type Inspection } from '../../src/inspection/inspection.ts'
import { createInspector } from '../../src/inspection/run-inspection.ts'
import { u32be } from '../hostile/bytes.ts'
import { tarEntry } from '../hostile/package-files.ts'
import { inspectBytes, bufferSource } from './inspect-bytes.ts'
import { publishedExecutables } from './windows-packages.ts'
import { zipFile, type ZipEntry } from './zip-file.ts'

const mebibyte = 2 ** 20
const inspector = createInspector({ log: pino({ level: 'silent' }) })
const inspect = (bytes: Buffer): Promise<Inspection> =>
  inspector.inspect(bufferSource(bytes), 'none', new AbortController().signal)

const program = readFileSync(publishedExecutables.signtool)

/** Returns a program that is followed by zeros, as installers are followed by their content. */
const padded = (bytes: Buffer, sizeBytes: number): Buffer => {
  const large = Buffer.alloc(sizeBytes)
  bytes.copy(large)
  return large
}

/** Returns a signed 64-bit program with zeros before its signature, which remains at its end. */
function withGap(bytes: Buffer, sizeBytes: number): Buffer {
  const entryOffset = bytes.readUInt32LE(0x3c) + 24 + 112 + 4 * 8
  const address = bytes.readUInt32LE(entryOffset)
  const large = Buffer.alloc(sizeBytes)
  bytes.copy(large, 0, 0, address)
  bytes.copy(large, sizeBytes - (bytes.length - address), address)
  large.writeUInt32LE(sizeBytes - (bytes.length - address), entryOffset)
  return large
}

const gzippedTar = (name: string, bytes: Buffer): Buffer =>
  gzipSync(Buffer.concat([tarEntry(name, bytes), Buffer.alloc(1024)]), { level: 1 })

/** A universal file for two architectures that ends after its header. */
const truncatedMachO = Buffer.concat([
  u32be(0xcafebabe, 2, 0x01000007, 3, 16_384, 50_000, 14, 0x0100000c, 0, 81_920, 50_000, 14),
  Buffer.alloc(100),
])
const truncatedElf = readFileSync('/bin/true').subarray(0, 300)

describe('the main program of an archive', () => {
  test('is read without its signature if it does not fit into memory', async () => {
    const expected = (await inspectBytes(program, 'exe')).file_info
    const large = padded(program, 330 * mebibyte)
    const found = await inspect(zipFile([{ name: 'app/app.exe', data: large, isDeflated: true }]))
    const { name, version, architectures } = found.file_info ?? {}
    assert.deepEqual(
      [name, version, architectures],
      [expected?.name, expected?.version, expected?.architectures],
    )
    assert.deepEqual(
      found.debug_ids.map(({ kind, path }) => [kind, path]),
      [
        ['pe_code_id', 'app/app.exe'],
        ['pdb_id', 'app/app.exe'],
      ],
    )
  })

  test('is read in a compressed tar archive if it fits into memory', async () => {
    const expected = (await inspectBytes(program, 'exe')).file_info
    const found = await inspect(gzippedTar('app/app.exe', padded(program, 245 * mebibyte)))
    assert.equal(found.file_info?.version, expected?.version)
    assert.deepEqual(found.file_info?.dependencies, expected?.dependencies)
  })

  test('has a signature of unknown status if it is not read to its end', async () => {
    const large = withGap(program, 300 * mebibyte)
    for (const archive of [
      gzippedTar('app/app.exe', large),
      zipFile([{ name: 'app/app.exe', data: large, isDeflated: true }]),
    ]) {
      const { file_info: info } = await inspect(archive)
      assert.deepEqual(
        [info?.architectures, info?.signature_status, info?.signer],
        [['x64'], 'unknown', null],
      )
    }
  })

  test('is not required to be readable', async () => {
    for (const [name, bytes] of Object.entries({ ELF: truncatedElf, 'Mach-O': truncatedMachO })) {
      await assert.rejects(inspectBytes(bytes, 'none'), new RegExp(`The ${name} file is damaged`))
      for (const isDeflated of [false, true])
        assert.deepEqual(
          await inspect(zipFile([{ name: 'app/app', data: bytes, isDeflated }])),
          emptyInspection,
        )
      assert.deepEqual(await inspect(gzippedTar('app/app', bytes)), emptyInspection)
    }
  })
})

/** Returns entries with the same content, which is compressed once. */
function repeated(names: string[], data: Buffer): ZipEntry[] {
  const fields = { stored: deflateRawSync(data), sizeBytes: data.length, crc: crc32(data), method: 8 }
  return names.map((name) => ({ name, ...fields }))
}

test('an archive of large executables and symbols is read within the limits on time and memory', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `lib${index}.so`)
  const database = Buffer.alloc(120 * mebibyte)
  database.write('Microsoft C/C++ MSF 7.00\r\n\u001aDS\0\0\0', 'latin1')
  const archive = zipFile([
    ...repeated(['app.exe'], padded(program, 250 * mebibyte)),
    ...repeated(
      names.map((name) => `${name}.pdb`),
      database,
    ),
    ...repeated(names, padded(readFileSync('/bin/true'), 100 * mebibyte)),
  ])
  const found = await inspect(archive)
  assert.equal(found.file_info?.format, 'pe')
  assert.ok(found.debug_ids.some(({ path }) => path === 'app.exe'))
})
