import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { applyPatch, restoreContent } from './apply-patch.ts'
import { readMembers } from './archive-members.ts'
import { readRange, sourceOf } from './byte-source.ts'
import { decodeContent, encodeContent } from './content-patch.ts'
import { createPatch } from './create-patch.ts'
import { nodePatchTools } from './node-tools.ts'
import { OldWindows } from './old-windows.ts'
import { InvalidPatch } from './patch-bytes.ts'
import { readPatchIndex } from './patch-format.ts'
import type { ContentPart } from './patch-format.ts'

const folder = mkdtempSync(join(tmpdir(), 'patch-'))
after(() => rmSync(folder, { recursive: true }))

const tools = nodePatchTools(folder, crc32)
const options = { tools, maxContentBytes: 2 ** 30, maxPatchBytes: 2 ** 30 }
const patchedFile = (bytes: Uint8Array) => ({
  source: sourceOf(bytes),
  sha256: createHash('sha256').update(bytes).digest(),
})

function patchBetween(old: Uint8Array, bytes: Uint8Array): Buffer {
  const made = createPatch(patchedFile(old), patchedFile(bytes), options)
  assert.ok(made)
  const { start, body } = made
  const patch = Buffer.concat([start, readRange(body.source, 0, body.source.sizeBytes)])
  body.free()
  return patch
}

function apply(patch: Uint8Array, old: Uint8Array): Buffer {
  const source = sourceOf(patch)
  return Buffer.concat([
    ...applyPatch({ patch: source, index: readPatchIndex(source, tools), old: sourceOf(old) }, tools),
  ])
}

/** Returns the size of the patch between two files, after it was applied. */
function assertPatched(old: Uint8Array, bytes: Uint8Array): number {
  const patch = patchBetween(old, bytes)
  assert.ok(apply(patch, old).equals(bytes))
  return patch.length
}

const contentParts = (patch: Uint8Array): ContentPart[] =>
  readPatchIndex(sourceOf(patch), tools).parts.filter((part) => part.type === 'content')

const edit = fc.record({ at: fc.nat(), removed: fc.nat(3000), added: fc.uint8Array({ maxLength: 2000 }) })

function edited(bytes: Buffer, edits: readonly { at: number; removed: number; added: Uint8Array }[]): Buffer {
  let result = bytes
  for (const { at, removed, added } of edits) {
    const start = at % (result.length + 1)
    result = Buffer.concat([result.subarray(0, start), added, result.subarray(start + removed)])
  }
  return result
}

test('restores random pairs of files, whose patch is about as large as the difference', () => {
  const old = randomBytes(200_000)
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      const bytes = edited(old, edits)
      const addedBytes = edits.reduce((sum, { added }) => sum + added.length, 0)
      const patchBytes = assertPatched(old, bytes)
      assert.ok(patchBytes < 400 + 60 * edits.length + addedBytes, `${patchBytes} bytes for ${addedBytes}`)
    }),
    { numRuns: 25 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (before, bytes) => {
      assertPatched(before, bytes)
    }),
    { numRuns: 50 },
  )
  assertPatched(old, Buffer.concat([old.subarray(100_000), old.subarray(0, 100_000), old]))
})

test('finds moved bytes in an old file of which only parts fit into memory', () => {
  const block = 256 * 1024
  const old = sourceOf(randomBytes(12 * block))
  const take = (start: number, sizeBytes: number) => readRange(old, start, start + sizeBytes)
  // Starts near the ends of blocks, and blocks that follow each other only in memory.
  const bytes = Buffer.concat([
    take(7.9 * block, 0.2 * block),
    take(0, 2 * block),
    randomBytes(100),
    take(4 * block, block),
    take(11 * block, block),
  ])
  const windows = new OldWindows(old, { maxWholeBytes: block, maxChosenBytes: 8 * block })
  const segment = encodeContent(windows, bytes, tools)
  assert.ok(segment.length < 2500, `${segment.length} bytes`)
  assert.ok(bytes.equals(decodeContent(segment, old, tools)))
})

/** Returns bytes like those of a program: addresses that differ by the same amount, and code that does not. */
function program(shift: number): Buffer {
  const code = createCode()
  for (let at = 0; at + 16 <= code.length; at += 16) code.writeUInt32LE((at * 7 + shift) >>> 0, at)
  return code
}
let code: Buffer | undefined
const createCode = () => Buffer.from((code ??= randomBytes(200_000)))

test('describes changed addresses in a fraction of their bytes', () => {
  const patchBytes = assertPatched(program(0), program(0x1240))
  assert.ok(patchBytes < 0.2 * 200_000, `${patchBytes} bytes`)
})

/** Text that is deflated to about a third. */
const text = (seed: number, lines: number): Buffer =>
  Buffer.from(
    Array.from(
      { length: lines },
      (_, line) => `${line} ${Math.imul(line + seed, 0x9e3779b1) >>> 0} some text\n`,
    ).join(''),
  )

test('opens gzip files of any level', () => {
  const old = Buffer.concat([text(1, 8000), program(0)])
  const bytes = Buffer.concat([text(1, 3000), Buffer.from('a new line\n'), text(1, 8000), program(8)])
  for (const level of [1, 6, 9]) {
    const file = gzipSync(bytes, { level })
    const patchBytes = assertPatched(gzipSync(old, { level: 6 }), file)
    assert.ok(patchBytes < 0.2 * file.length, `${patchBytes} of ${file.length}`)
  }
})

/** Writes files and archives them with a program, or returns undefined if it is not installed. */
function archiveWith(command: readonly string[], files: Record<string, Uint8Array>): Buffer | undefined {
  const [program = '', ...parameters] = command
  const input = mkdtempSync(join(folder, 'input-'))
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(input, name)), { recursive: true })
    writeFileSync(join(input, name), bytes)
  }
  const output = join(folder, `archive-${readdirSync(folder).length}.zip`)
  try {
    execFileSync(program, [...parameters, output, ...Object.keys(files)], { cwd: input, stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return readFileSync(output)
}

const oldFiles = {
  'lib/program.so': program(0),
  'text-1.0.txt': text(1, 8000),
  same: text(2, 3000),
  'removed.bin': randomBytes(3000),
}
const newFiles = {
  'lib/program.so': program(0x40),
  'text-1.1.txt': Buffer.concat([text(1, 5000), Buffer.from('new'), text(1, 8000)]),
  same: text(2, 3000),
  'added.txt': text(9, 100),
}

for (const [name, ...command] of [
  ['zip', '-q'],
  ['zip', '-q', '-9'],
  ['zip', '-q', '-0'],
  ['7z', 'a', '-tzip'],
  ['7z', 'a', '-tzip', '-mx=9'],
  ['jar', 'cf'],
] as const)
  test(`opens archives of ${[name, ...command].join(' ')}`, (context) => {
    const [old, bytes] = [
      archiveWith([name, ...command], oldFiles),
      archiveWith([name, ...command], newFiles),
    ]
    if (old === undefined || bytes === undefined) {
      context.skip(`${name} is not installed`)
      return
    }
    const patch = patchBetween(old, bytes)
    assert.ok(apply(patch, old).equals(bytes))
    assert.ok(patch.length < 0.35 * bytes.length, `${patch.length} of ${bytes.length}`)
    assert.equal(contentParts(patch).length, 2)
  })

/** Returns a ZIP archive with one deflated entry. */
function zipOf(content: Buffer, name = 'a'): Buffer {
  const deflated = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(8, 8)
  header.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(tools.crc32(content), 16)
  entry.writeUInt32LE(deflated.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + deflated.length, 16)
  const nameBytes = Buffer.from(name)
  return Buffer.concat([header, nameBytes, deflated, entry, nameBytes, end])
}

test('restores the content of an entry without the archives', () => {
  const [before, content] = [text(1, 5000), Buffer.concat([Buffer.from('new'), text(1, 5000)])]
  const old = zipOf(before)
  const patch = patchBetween(old, zipOf(content))
  const [part] = contentParts(patch)
  assert.ok(part)
  assert.deepEqual([part.source.contentBytes, part.source.crc32], [before.length, tools.crc32(before)])
  assert.deepEqual([part.contentBytes, part.crc32], [content.length, tools.crc32(content)])
  // The rest of the patch is not read.
  const contentOnly = Buffer.alloc(patch.length)
  patch.copy(contentOnly, part.contentPatch.start, part.contentPatch.start, part.contentPatch.end)
  const restored = restoreContent({ patch: sourceOf(contentOnly), part, source: sourceOf(before) }, tools)
  assert.ok(Buffer.concat([...restored]).equals(content))
})

test('reads damaged archives as plain files', () => {
  const old = zipOf(text(1, 100))
  assert.equal(readMembers(sourceOf(old)).length, 1)
  fc.assert(
    fc.property(fc.nat(old.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const damaged = Buffer.from(old)
      damaged[position] = (damaged[position] ?? 0) ^ change
      assertPatched(damaged, old)
      assertPatched(old, damaged)
    }),
    { numRuns: 40 },
  )
})

test('creates no patch that is larger than it may be', () => {
  const result = createPatch(patchedFile(randomBytes(5000)), patchedFile(randomBytes(5000)), {
    ...options,
    maxPatchBytes: 4000,
  })
  assert.equal(result, undefined)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.scratch')),
    [],
  )
})

test('rejects damaged patches and other old files', () => {
  const old = zipOf(text(1, 300))
  const bytes = zipOf(Buffer.concat([Buffer.from('new'), text(1, 300)]))
  const patch = patchBetween(old, bytes)
  const assertRejected = (damaged: Uint8Array, source = old) => {
    try {
      // Changed bytes can have the right form: the caller verifies the checksum of the file.
      apply(damaged, source)
    } catch (error) {
      assert.ok(error instanceof InvalidPatch, String(error))
    }
  }
  for (let end = 0; end < patch.length; end += 7)
    assert.throws(() => apply(patch.subarray(0, end), old), InvalidPatch)
  assert.throws(() => apply(patch, old.subarray(1)), InvalidPatch)
  const other = Buffer.from(old)
  other.fill(0, 40, 80)
  assert.throws(() => apply(patch, other), InvalidPatch)
  fc.assert(
    fc.property(fc.nat(patch.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const damaged = Buffer.from(patch)
      damaged[position] = (damaged[position] ?? 0) ^ change
      assertRejected(damaged)
    }),
    { numRuns: 150 },
  )
})
