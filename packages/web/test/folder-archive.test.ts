import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noise, open, readAll, sequence, words, writeFiles } from '../../cli/test/archived-folder.ts'
import type { Files } from '../../cli/test/archived-folder.ts'
import { openFileArchive } from '../src/upload/folder/file-archive.ts'
import { nodeOfFiles, type FolderNode } from '../src/upload/folder/folder-tree.ts'
import { listFolder } from '../src/upload/folder/list-folder.ts'

const { signal } = new AbortController()

const sample = (): Files => {
  const next = sequence(7)
  return {
    '.quaysideignore': '*.pdb\n/logs/\n',
    'game.exe': words(700_000, next),
    'game.pdb': 'symbols',
    'logs/today.txt': 'started',
    'data/noise.pak': noise(300_000, next),
    'data/empty.txt': '',
    'data/.DS_Store': 'x',
    'ä/ünï.txt': 'short',
    'a.txt': 'a'.repeat(5000),
    'a/b.txt': 'b',
    'start.sh': '#!/bin/sh\n',
  }
}

/** Returns files as a file input with `webkitdirectory` does. */
const chosen = (name: string, files: Files): File[] =>
  Object.entries(files)
    .toReversed()
    .map(([path, content]) =>
      Object.assign(new File([new Uint8Array(Buffer.from(content))], path.split('/').at(-1) ?? ''), {
        webkitRelativePath: `${name}/${path}`,
      }),
    )

async function archiveOf(folder: FolderNode, onProgress = () => {}) {
  const entries = await listFolder(folder, signal)
  return openFileArchive({ entries, prefix: '', signal, onProgress })
}

async function folderOf(files: Files): Promise<FolderNode> {
  const folder = nodeOfFiles(chosen('Build', files))
  assert.ok(folder)
  return folder
}

const bytesOf = async (blob: Blob): Promise<Buffer> => Buffer.from(await blob.arrayBuffer())

test('creates the archive that the command line creates of the same folder', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const build = join(folder.path, 'Build')
  await writeFiles(build, sample())
  await mkdir(join(build, 'empty'))
  await chmod(join(build, 'start.sh'), 0o755)
  const expected = await readAll(await open(build))
  const node = await folderOf(sample())
  const withEmptyFolder: FolderNode = {
    ...node,
    children: async () => [
      ...((await node.children?.()) ?? []),
      {
        name: 'empty',
        children: () => Promise.resolve([]),
        file: () => Promise.reject(new Error('a folder')),
      },
    ],
  }
  const archive = await archiveOf(withEmptyFolder)
  assert.equal(archive.sizeBytes, expected.length)
  assert.ok((await bytesOf(await archive.slice(0, archive.sizeBytes))).equals(expected))
  const next = sequence(11)
  for (let round = 0; round < 50; round++) {
    const start = Math.floor(next() * expected.length)
    const end = Math.min(expected.length, start + Math.floor(next() * 200_000))
    assert.ok((await bytesOf(await archive.slice(start, end))).equals(expected.subarray(start, end)))
  }
})

test('deflates content again that does not fit into memory, with the same bytes', async () => {
  const next = sequence(3)
  const large = Object.fromEntries(
    Array.from({ length: 3 }, (_, index) => [`${index}.txt`, words(3_000_000, next)]),
  )
  const [kept, again] = await Promise.all([
    archiveOf(await folderOf(large)),
    listFolder(await folderOf(large), signal).then((entries) =>
      openFileArchive({ entries, prefix: '', signal, onProgress: () => {}, spoolBytes: 100_000 }),
    ),
  ])
  assert.equal(again.sample, kept.sample)
  const [first, second] = await Promise.all(
    [kept, again].map(async (archive) => bytesOf(await archive.slice(0, archive.sizeBytes))),
  )
  assert.ok(second !== undefined && first?.equals(second))
})

test('recognizes a folder by its content and its names', async () => {
  const { sample: first } = await archiveOf(await folderOf({ 'a.txt': 'content' }))
  const others = [{ 'a.txt': 'Content' }, { 'b.txt': 'content' }, { 'a.txt': 'content', 'b.txt': '' }]
  assert.equal((await archiveOf(await folderOf({ 'a.txt': 'content' }))).sample, first)
  for (const other of others) assert.notEqual((await archiveOf(await folderOf(other))).sample, first)
})

test('rejects a folder without files and names that an archive cannot contain', async () => {
  await assert.rejects(archiveOf(await folderOf({ '.git/config': 'x' })), /contains no files to upload/)
  await assert.rejects(archiveOf(await folderOf({ 'a\\b.txt': 'x' })), /contains a backslash/)
})
