import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { directoryEnd, directoryRecord, localHeader } from '@quayside/sdk/zip-records'
import type { ZipEntry } from '@quayside/sdk/zip-records'
import fc from 'fast-check'
import { noise, open, readAll, sequence, words, writeFiles } from '../../test/archived-folder.ts'
import { memoryArchive, sync, treeOf } from '../../test/synced-folder.ts'
import { crc32 } from '../archive/read-content.ts'
import type { ArchiveEntry, NameRules } from './archive-entry.ts'
import { openUnverified } from './open-remote.ts'
import { readDirectory } from './read-directory.ts'

type Entry = {
  name: string
  content?: string
  mode?: number
  change?: (zip: ZipEntry, record: Buffer) => void
}

/** Creates an archive. `change` falsifies what the directory says. */
function zip(entries: Entry[], { gap = 0 } = {}): Buffer {
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (const { name, content = 'x', mode = 0o100644, change } of entries) {
    const bytes = Buffer.from(content)
    const entry: ZipEntry = {
      name,
      mode,
      isDeflated: false,
      crc32: crc32(bytes),
      storedBytes: bytes.length,
      sizeBytes: bytes.length,
      modifiedAt: undefined,
    }
    const header = Buffer.from(localHeader(entry))
    const record = Buffer.from(directoryRecord(entry, offset))
    change?.(entry, record)
    records.push(record)
    parts.push(header, bytes)
    offset += header.length + bytes.length + gap
    parts.push(Buffer.alloc(gap))
  }
  const directory = Buffer.concat(records)
  return Buffer.concat([
    ...parts,
    directory,
    directoryEnd({ count: entries.length, sizeBytes: directory.length, offset }),
  ])
}

const unix: NameRules = { foldsNames: false, isWindows: false }
const windows: NameRules = { foldsNames: true, isWindows: true }
const read = (bytes: Buffer, rules = unix): Promise<ArchiveEntry[]> =>
  readDirectory(openUnverified(memoryArchive(bytes), new AbortController().signal), rules)

const hostile: Record<string, { entries: Entry[]; message: RegExp; rules?: NameRules }> = {
  'an absolute path': { entries: [{ name: '/etc/passwd' }], message: /absolute path/ },
  'a drive letter': { entries: [{ name: 'C:x' }], message: /absolute path/ },
  'a parent folder': { entries: [{ name: 'a/../../b' }], message: /not a plain path/ },
  'a path that is only dots': { entries: [{ name: '..' }], message: /not a plain path/ },
  'an empty segment': { entries: [{ name: 'a//b' }], message: /not a plain path/ },
  'a backslash': { entries: [{ name: String.raw`..\b` }], message: /backslash/ },
  'a NUL character': { entries: [{ name: 'a\0b' }], message: /NUL/ },
  'a long name': { entries: [{ name: 'a'.repeat(256) }], message: /too long/ },
  'an empty name': { entries: [{ name: '' }], message: /not a plain path/ },
  'a path twice': { entries: [{ name: 'a' }, { name: 'a' }], message: /contains a twice/ },
  'a folder and a file': {
    entries: [{ name: 'a/', content: '', mode: 0o040755 }, { name: 'a' }],
    message: /twice/,
  },
  'a file below a file': {
    entries: [{ name: 'a' }, { name: 'a/b' }],
    message: /below a, which is not a folder/,
  },
  'a file below a link': {
    entries: [{ name: 'a', content: '/etc', mode: 0o120777 }, { name: 'a/b' }],
    message: /below a, which is not a folder/,
  },
  'a device': { entries: [{ name: 'a', mode: 0o060644 }], message: /neither a file nor a folder/ },
  'a long link': {
    entries: [{ name: 'a', content: 'x'.repeat(5000), mode: 0o120777 }],
    message: /impossible size/,
  },
  'an encrypted entry': {
    entries: [{ name: 'a', change: (_, record) => record.writeUInt16LE(0x801, 8) }],
    message: /encrypted/,
  },
  'an unknown method': {
    entries: [{ name: 'a', change: (_, record) => record.writeUInt16LE(14, 10) }],
    message: /unsupported compression method 14/,
  },
  'a size beyond the archive': {
    entries: [
      {
        name: 'a',
        change: (_, record) => {
          record.writeUInt32LE(1e9, 20)
          record.writeUInt32LE(1e9, 24)
        },
      },
    ],
    message: /overlapping/,
  },
  'an inflated size that deflate cannot reach': {
    entries: [
      {
        name: 'a',
        change: (_, record) => {
          record.writeUInt16LE(8, 10)
          record.writeUInt32LE(1e9, 24)
        },
      },
    ],
    message: /impossible size/,
  },
  'overlapping entries': {
    entries: [{ name: 'a' }, { name: 'b', change: (_, record) => record.writeUInt32LE(5, 42) }],
    message: /overlapping/,
  },
  'names that differ in case': {
    entries: [{ name: 'Readme' }, { name: 'README' }],
    rules: windows,
    message: /the same file here/,
  },
  'names that differ in normalization': {
    entries: [{ name: '\u00e9' }, { name: 'e\u0301' }],
    rules: windows,
    message: /the same file here/,
  },
  'a file below another by case': {
    entries: [{ name: 'A' }, { name: 'a/b' }],
    rules: windows,
    message: /below a, which is not a folder/,
  },
  'a device of Windows': {
    entries: [{ name: 'x/con.txt' }],
    rules: windows,
    message: /not valid on Windows/,
  },
  'a hidden stream': { entries: [{ name: 'a.txt:b' }], rules: windows, message: /not valid on Windows/ },
  'a name with a dot at its end': {
    entries: [{ name: 'a.' }],
    rules: windows,
    message: /not valid on Windows/,
  },
}

for (const [name, { entries, message, rules }] of Object.entries(hostile))
  test(`rejects an archive with ${name}`, async () => {
    await assert.rejects(read(zip(entries), rules), message)
    if (rules !== undefined) await read(zip(entries))
  })

test('rejects links that point outside the folder, and writes nothing', async () => {
  for (const target of ['/etc/passwd', '..', '../x', 'a/../../x', 'up/../..', 'C:/x', ''])
    for (const isIndexed of [true, false]) {
      await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
      const archive = zip([{ name: 'a.txt' }, { name: 'b/link', content: `../${target}`, mode: 0o120777 }])
      const direct = zip([{ name: 'a.txt' }, { name: 'link', content: target, mode: 0o120777 }])
      if (target !== '' && !/^[A-Z/]/.test(target))
        await assert.rejects(
          sync(temporary.path, memoryArchive(archive, isIndexed)),
          /points outside/,
          target,
        )
      await assert.rejects(
        sync(temporary.path, memoryArchive(direct, isIndexed)),
        /symbolic link link/,
        target,
      )
      assert.deepEqual(await treeOf(temporary.path), {})
    }
})

test('rejects other files, and damaged archives, before it changes the folder', async () => {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const missing = join(temporary.path, 'missing')
  for (const isIndexed of [true, false]) {
    const other = memoryArchive(noise(2_000_000, sequence(1)), isIndexed)
    await assert.rejects(sync(missing, other), /not a ZIP archive.*quayside download/)
    assert.ok(other.fetchedBytes < 500_000)
  }
  await assert.rejects(readdir(missing), /ENOENT/)
  const archive = zip([{ name: 'a' }, { name: 'b', change: (_, record) => record.writeUInt32LE(7, 16) }])
  await assert.rejects(sync(temporary.path, archive), /contains b damaged/)
  assert.ok(!(await readdir(temporary.path)).includes('b'))
})

test('never inflates more than the declared size', async () => {
  for (const sizeBytes of [1000, 3_000_000]) {
    const bomb = deflateRawSync(Buffer.alloc(20_000_000))
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
    const archive = zip([
      {
        name: 'a',
        content: 'x'.repeat(bomb.length),
        change: (_, record) => {
          record.writeUInt16LE(8, 10)
          record.writeUInt32LE(sizeBytes, 24)
        },
      },
    ])
    bomb.copy(archive, 31)
    await assert.rejects(sync(temporary.path, archive), /contains a damaged/)
    assert.deepEqual(await treeOf(temporary.path), {})
  }
})

test('ignores the folder of the state in an archive', async () => {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await sync(temporary.path, zip([{ name: 'a' }, { name: '.quayside/state.json' }, { name: '.QUAYSIDE/x' }]))
  assert.deepEqual(Object.keys(await treeOf(temporary.path)), ['a'])
})

test('reads archives of other programs, with bytes between the entries', async () => {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await sync(temporary.path, zip([{ name: 'a', content: 'first' }, { name: 'b/c' }], { gap: 100 }))
  assert.deepEqual(Object.keys(await treeOf(temporary.path)).toSorted(), ['a', 'b/c'])
})

test('ends with an error or the declared content for any changed byte', async () => {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const build = join(temporary.path, 'Build')
  await writeFiles(build, { 'a.txt': words(3000, sequence(4)), 'b/c.txt': 'text', 'b/d': '' })
  await symlink('c.txt', join(build, 'b/link'))
  const archive = await readAll(await open(build))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: archive.length - 1 }), fc.nat({ max: 255 })), {
        minLength: 1,
        maxLength: 4,
      }),
      async (changes) => {
        await using outer = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
        const changed = Buffer.from(archive)
        for (const [position, byte] of changes) changed[position] = byte
        const folder = join(outer.path, 'synced')
        await writeFile(join(outer.path, 'other'), 'mine')
        await sync(folder, changed).catch((error: unknown) => {
          assert.match(String(error), /cannot be synced|not a ZIP archive/)
        })
        assert.deepEqual(
          (await readdir(outer.path)).filter((name) => name !== 'synced'),
          ['other'],
        )
      },
    ),
    { numRuns: 150 },
  )
})
