import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtempDisposable,
  open as openFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32ByTable } from '@quayside/sdk/archive-content'
import { layOut } from '@quayside/sdk/archive-layout'
import { noise, open, readAll, sequence, words, writeFiles } from '../../test/archived-folder.ts'
import type { Files } from '../../test/archived-folder.ts'
import { crc32 } from './read-content.ts'

const sample = (): Files => {
  const next = sequence(7)
  return {
    'game.exe': words(700_000, next),
    'data/noise.pak': noise(300_000, next),
    'data/empty.txt': '',
    'ä/ünï.txt': 'short',
    'a.txt': 'a'.repeat(5000),
    'a/b.txt': 'b',
  }
}

test('creates the same bytes again, which do not depend on times or the order of creation', async () => {
  await using first = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await using second = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const [one, other] = [join(first.path, 'Build'), join(second.path, 'Build')]
  await writeFiles(one, sample())
  await writeFiles(other, Object.fromEntries(Object.entries(sample()).toReversed()))
  await utimes(join(other, 'a.txt'), 1, 1)
  const bytes = await readAll(await open(one))
  assert.ok(bytes.equals(await readAll(await open(other))))
  // A different checksum means that uploads of unchanged folders are no longer recognized.
  assert.equal(
    createHash('sha256').update(bytes).digest('hex'),
    'cd12d8cf336b8d73471a70a7147407bafeff95957e594bc4fe0dabd7d4879ebf',
  )
})

test('creates archives that other programs read', async (t) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const build = join(folder.path, 'Build')
  await writeFiles(build, { ...sample(), 'run.sh': '#!/bin/sh\necho started\n', 'hollow/x': '' })
  await rm(join(build, 'hollow/x'))
  await chmod(join(build, 'run.sh'), 0o755)
  await symlink('../run.sh', join(build, 'data/run'))
  const archive = await open(build)
  assert.equal(archive.filename, 'Build.zip')
  const zip = join(folder.path, archive.filename)
  await writeFile(zip, await readAll(archive))
  const programs: [string, string[]][] = [
    ['unzip', ['-tq', zip]],
    ['7z', ['t', zip]],
    ['bsdtar', ['-tf', zip]],
    ['python3', ['-c', `import zipfile; assert zipfile.ZipFile(${JSON.stringify(zip)}).testzip() is None`]],
  ]
  for (const [program, args] of programs)
    try {
      execFileSync(program, args, { stdio: 'pipe' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      t.diagnostic(`${program} is not installed`)
    }
  const unpacked = join(folder.path, 'unpacked')
  await mkdir(unpacked)
  try {
    execFileSync('unzip', ['-q', zip, '-d', unpacked])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return t.skip('unzip is not installed')
    throw error
  }
  assert.equal(execFileSync(join(unpacked, 'data/run')).toString(), 'started\n')
  assert.ok((await readAll(await open(unpacked))).equals(await readAll(archive)))
})

test('reads any range like the complete archive', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await writeFiles(folder.path, sample())
  const archive = await open(folder.path)
  const bytes = await readAll(archive)
  const next = sequence(11)
  for (let round = 0; round < 200; round++) {
    const position = Math.floor(next() * bytes.length)
    const length = Math.floor(next() * 100_000)
    const range = Buffer.alloc(length)
    const { bytesRead } = await archive.handle.read(range, 0, length, position)
    assert.ok(range.subarray(0, bytesRead).equals(bytes.subarray(position, position + length)))
  }
  assert.equal(archive.countFiles?.({ start: 0, sizeBytes: archive.sizeBytes }), 6)
})

test('leaves out what the ignore file excludes and what file managers create', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await writeFiles(folder.path, {
    '.quaysideignore': '# symbols\n*.pdb\n/logs/\n!keep.pdb\n',
    'game.exe': 'x',
    'game.pdb': 'x',
    'keep.pdb': 'x',
    'logs/a.txt': 'x',
    'data/logs/a.txt': 'x',
    'data/.DS_Store': 'x',
    '.git/config': 'x',
  })
  const bytes = await readAll(await open(folder.path))
  const records = bytes
    .toString('latin1')
    .split(String.fromCharCode(0x50, 0x4b, 1, 2))
    .slice(1)
  const names = records.map((record) => record.slice(42, 42 + record.charCodeAt(24)))
  assert.deepEqual(names, ['data/logs/a.txt', 'game.exe', 'keep.pdb'])
})

test('keeps modification times only on request', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await writeFiles(folder.path, { 'a.txt': 'a' })
  const plain = await open(folder.path)
  const dated = await open(folder.path, true)
  await utimes(join(folder.path, 'a.txt'), 1e9, 1e9)
  const bytes = await readAll(await open(folder.path, true))
  assert.ok(bytes.includes(Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0xca, 0x9a, 0x3b])))
  assert.notEqual(plain.revision, dated.revision)
})

test('rejects a file that changes after it was read, and what an archive cannot contain', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await assert.rejects(open(folder.path), /contains no files to upload/)
  await writeFiles(folder.path, { 'a.txt': 'a', 'b.txt': 'b' })
  const archive = await open(folder.path)
  await archive.requireUnchanged()
  await writeFile(join(folder.path, 'b.txt'), 'c')
  await assert.rejects(archive.requireUnchanged(), /b\.txt changed/)
  await assert.rejects(readAll(archive), /b\.txt changed/)
  await symlink('../outside', join(folder.path, 'link'))
  await assert.rejects(open(folder.path), /points outside the folder/)
})

test('uses ZIP64 for many files and for large files', async (t) => {
  const entry = (name: string, sizeBytes: number) => ({
    entry: {
      name,
      path: '',
      kind: 'file',
      isExecutable: false,
      sizeBytes,
      mtimeNs: 0n,
      inode: 0n,
      target: '',
    } as const,
    zip: {
      name,
      mode: 0o100644,
      isDeflated: false,
      crc32: 0,
      storedBytes: sizeBytes,
      sizeBytes,
      modifiedAt: undefined,
    },
    content: undefined,
  })
  const layout = layOut([
    entry('a', 5e9),
    entry('b', 2),
    ...Array.from({ length: 70_000 }, (_, index) => entry(`${index}`, 0)),
  ])
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  // The file contents are holes, so the archive needs little space.
  const zip = join(folder.path, 'large.zip')
  await writeFile(zip, '')
  await using file = await openFile(zip, 'r+')
  const [first] = layout.segments
  assert.ok(first && 'bytes' in first)
  await file.write(first.bytes, 0, first.bytes.length, 0)
  const rest = layout.segments
    .slice(2)
    .map((part) => ('bytes' in part ? part.bytes : Buffer.alloc(part.sizeBytes)))
  await file.write(Buffer.concat(rest), 0, undefined, layout.offsets[2])
  const script = `
import zipfile
z = zipfile.ZipFile(${JSON.stringify(zip)})
i = z.infolist()
print(len(i), i[0].file_size, i[1].header_offset > 5e9, z.read('69999'))`
  try {
    assert.equal(execFileSync('python3', ['-c', script]).toString(), "70002 5000000000 True b''\n")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.skip('python3 is not installed')
  }
})

test('computes the same CRC-32 with and without the function of Node', () => {
  const bytes = noise(10_000, sequence(5))
  assert.equal(crc32ByTable(bytes.subarray(400), crc32ByTable(bytes.subarray(0, 400))), crc32(bytes))
})

test('keeps the folder of an application bundle', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  await writeFiles(folder.path, { 'Game.app/Contents/Info.plist': '<plist/>' })
  const archive = await open(join(folder.path, 'Game.app'))
  assert.equal(archive.filename, 'Game.app.zip')
  assert.ok((await readAll(archive)).includes('Game.app/Contents/Info.plist'))
})
