import assert from 'node:assert/strict'
import {
  chmod,
  cp,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { noise, open, readAll, sequence, words, writeFiles } from '../../test/archived-folder.ts'
import { memoryArchive, sync, treeOf } from '../../test/synced-folder.ts'

const mib = 1024 * 1024
const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'quayside-'))
const archiveOf = async (folder: string): Promise<Buffer> => readAll(await open(folder))

const blocks = Array.from({ length: 6 }, (_, index) => {
  const next = sequence(100 + index)
  return index % 2 === 0 ? noise(60_000, next) : words(100_000, next)
})

/** Contents from few blocks, so that versions share some, and from short texts. */
const content = fc.oneof(
  { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
  {
    weight: 3,
    arbitrary: fc.array(fc.nat({ max: blocks.length - 1 }), { minLength: 1, maxLength: 8 }),
  },
)
const item = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('file' as const), content, isExecutable: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('link' as const), target: fc.constantFrom('a', 'b/c', '.') }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'folder' as const }) },
)
/** Few names, so that a path is a file in one version and a folder in the next. */
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', 'é'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'))
const version = fc.array(fc.tuple(path, item), { minLength: 1, maxLength: 12 })

async function writeVersion(folder: string, items: typeof version extends fc.Arbitrary<infer T> ? T : never) {
  await mkdir(folder)
  await writeFile(join(folder, 'always'), 'x')
  for (const [name, each] of items) {
    const target = join(folder, name)
    try {
      await mkdir(join(target, '..'), { recursive: true })
      if (each.kind === 'folder') await mkdir(target)
      else if (each.kind === 'link') await symlink(each.target, target)
      else {
        const { content: parts } = each
        const bytes =
          typeof parts === 'string'
            ? Buffer.from(parts)
            : Buffer.concat(parts.map((index) => blocks[index] ?? Buffer.alloc(0)))
        await writeFile(target, bytes, { flag: 'wx' })
        await chmod(target, each.isExecutable ? 0o755 : 0o644)
      }
    } catch {
      // The path is below a file or a link of this version, or exists.
    }
  }
}

test('changes a folder from one random version to the next, also after interruptions', async () => {
  const versions = fc.array(fc.tuple(version, fc.nat({ max: 8 })), { minLength: 2, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(versions, fc.boolean(), async (nights, isIndexed) => {
      await using temporary = await temporaryFolder()
      const folder = join(temporary.path, 'synced')
      for (const [index, [items, fetchesBeforeFailure]] of nights.entries()) {
        const build = join(temporary.path, `build-${index}`)
        await writeVersion(build, items)
        const archive = await archiveOf(build)
        const interrupted = memoryArchive(archive, isIndexed)
        let fetches = 0
        interrupted.beforeFetch = () => {
          if (fetches++ === fetchesBeforeFailure) throw new Error('interrupted')
        }
        await sync(folder, interrupted).catch((error: unknown) => assert.match(String(error), /interrupted/))
        await sync(folder, memoryArchive(archive, isIndexed))
        assert.deepEqual(await treeOf(folder), await treeOf(build))
        assert.deepEqual(await readdir(join(folder, '.quayside')), ['state.json'])
        assert.ok((await archiveOf(folder)).equals(archive))
        const { added, changed, removed } = await sync(folder, memoryArchive(archive, isIndexed))
        assert.deepEqual([added, changed, removed], [0, 0, 0])
      }
    }),
    { numRuns: 12 },
  )
})

test('fetches little after small changes of large files', async () => {
  await using temporary = await temporaryFolder()
  const [build, folder] = [join(temporary.path, 'Build'), join(temporary.path, 'synced')]
  const next = sequence(3)
  const text = words(8 * mib, next)
  await writeFiles(build, {
    'code.bin': text,
    'music.ogg': noise(500_000, next),
    'textures.pak': noise(6 * mib, next),
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`small/${index}.cfg`, words(3000, next)]),
    ),
  })
  const first = memoryArchive(await archiveOf(build))
  await sync(folder, first)
  assert.ok(first.fetchedBytes <= first.sizeBytes * 1.02, `${first.fetchedBytes} of ${first.sizeBytes}`)
  const changed = Buffer.concat([text.subarray(0, 4 * mib), Buffer.from('inserted'), text.subarray(4 * mib)])
  await writeFile(join(build, 'code.bin'), changed)
  const large = memoryArchive(await archiveOf(build))
  await sync(folder, large)
  assert.ok(large.fetchedBytes < 600_000, `${large.fetchedBytes} bytes for a change in a deflated file`)
  // The end of the archive is always fetched, but not the other small files in the chunk of one that changed.
  await writeFile(join(build, 'small/50.cfg'), words(3000, sequence(99)))
  const small = memoryArchive(await archiveOf(build))
  const result = await sync(folder, small)
  assert.deepEqual([result.changed, result.added, result.removed], [1, 0, 0])
  assert.ok(small.fetchedBytes < 120_000, `${small.fetchedBytes} bytes for a small file`)
  await rename(join(build, 'textures.pak'), join(build, 'art.pak'))
  const renamed = memoryArchive(await archiveOf(build))
  const { added, removed } = await sync(folder, renamed)
  assert.deepEqual([added, removed], [1, 1])
  assert.ok(renamed.fetchedBytes < 300_000, `${renamed.fetchedBytes} bytes for a renamed file`)
  assert.deepEqual(await treeOf(folder), await treeOf(build))
})

test('keeps other files unless it deletes them, and replaces what was changed', async () => {
  await using temporary = await temporaryFolder()
  const [build, folder] = [join(temporary.path, 'Build'), join(temporary.path, 'synced')]
  await writeFiles(build, { 'data/a.txt': 'a', 'data/b.txt': 'b' })
  await sync(folder, await archiveOf(build))
  await writeFiles(folder, { 'saves/1.sav': 'mine', 'data/mine.txt': 'mine', 'data/a.txt': 'A' })
  await rm(join(build, 'data/b.txt'))
  const archive = await archiveOf(build)
  await sync(folder, archive)
  const names = async () => Object.keys(await treeOf(folder)).toSorted()
  assert.deepEqual(await names(), ['data/a.txt', 'data/mine.txt', 'saves/1.sav'])
  assert.equal(await readFile(join(folder, 'data/a.txt'), 'utf8'), 'a')
  // The folder of a file of the user cannot become a file.
  await rm(join(build, 'data'), { recursive: true })
  await writeFile(join(build, 'data'), 'now a file')
  const next = await archiveOf(build)
  await assert.rejects(sync(folder, next), /mine\.txt is not part of the build, but the build has a file/)
  assert.deepEqual(await names(), ['data/a.txt', 'data/mine.txt', 'saves/1.sav'])
  await sync(folder, next, { deletesOthers: true })
  assert.deepEqual(await names(), ['data'])
})

test('never writes through a link in the folder', async () => {
  await using temporary = await temporaryFolder()
  const [build, folder, outside] = ['Build', 'synced', 'outside'].map((name) =>
    join(temporary.path, name),
  ) as [string, string, string]
  await writeFiles(build, { 'data/a.txt': 'a' })
  await mkdir(outside)
  await mkdir(folder)
  await symlink(outside, join(folder, 'data'))
  await sync(folder, await archiveOf(build))
  assert.deepEqual(await readdir(outside), [])
  assert.deepEqual(await treeOf(folder), await treeOf(build))
})

test('resumes an interrupted sync, which keeps what it fetched', async () => {
  await using temporary = await temporaryFolder()
  const [build, folder] = [join(temporary.path, 'Build'), join(temporary.path, 'synced')]
  const next = sequence(21)
  await writeFiles(
    build,
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.pak`, noise(2 * mib, next)])),
  )
  const remote = memoryArchive(await archiveOf(build))
  remote.beforeFetch = () => {
    if (remote.fetchedBytes > 60 * mib) throw new Error('killed')
  }
  await assert.rejects(sync(folder, remote), /killed/)
  const rest = memoryArchive(await archiveOf(build))
  await sync(folder, rest)
  assert.deepEqual(await treeOf(folder), await treeOf(build))
  assert.ok(rest.fetchedBytes < 55 * mib, `${rest.fetchedBytes} bytes in the second run`)
})

test('allows one sync of a folder at a time', async () => {
  await using temporary = await temporaryFolder()
  const [build, folder] = [join(temporary.path, 'Build'), join(temporary.path, 'synced')]
  await writeFiles(build, { 'a.txt': 'a' })
  await cp(build, folder, { recursive: true })
  const remote = memoryArchive(await archiveOf(build))
  let second: Promise<unknown> = Promise.resolve()
  remote.beforeFetch = () => {
    second = assert.rejects(sync(folder, remote), /Another process is syncing this folder/)
  }
  await sync(folder, remote)
  await second
  // The process has ended, or it ran before the machine was started.
  await writeFile(join(folder, '.quayside/lock.1.stale'), '{"host":"","pid":1,"startedAt":0}')
  await assert.rejects(sync(folder, remote), /delete .*lock\.1\.stale/)
})
